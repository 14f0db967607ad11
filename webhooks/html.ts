// Pages of HTML that this server writes itself: of REST's contract, and of signing in.
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A text that is not ours, as it may stand in a page, in an attribute too. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (each) => escapes[each] ?? each)
