// Receiving Megrez's notices: verified, each once, in order.
export { listener, type ListenerOptions } from './listener.ts'
export { Order, type Arrival as Seen } from './order.ts'
export { NotVerified, verify, type Headers, type Notice, type VerifyOptions } from './verify.ts'
