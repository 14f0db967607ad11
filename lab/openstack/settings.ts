/** Sections of a settings file, as OpenStack and uWSGI read them. */
export type Settings = Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>

export const iniOf = (settings: Settings): string =>
  Object.entries(settings)
    .map(
      ([section, values]) =>
        `[${section}]\n${Object.entries(values)
          .map(([name, value]) => `${name} = ${value}\n`)
          .join('')}`,
    )
    .join('')

/** Later settings win. */
export const merged = (...all: readonly Settings[]): Settings => {
  const sections: Record<string, Record<string, string | number | boolean>> = {}
  for (const settings of all)
    for (const [section, values] of Object.entries(settings)) sections[section] = { ...sections[section], ...values }
  return sections
}
