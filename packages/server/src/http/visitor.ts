/** Who was let in with a request: known from the gate on, and needed again by the operation and by the access log. */
import type { IncomingMessage } from 'node:http'
import { anyone, type Caller } from '../caller.ts'

/** A request leads to its caller; looking that up elsewhere would take a table. */
const visitor = Symbol('visitor')
type Visited = IncomingMessage & { [visitor]?: Caller }

export function noteCaller(request: Visited, caller: Caller): void {
  if (caller !== anyone) request[visitor] = caller
}

/** Anyone, for a request of which nobody had to know. */
export function callerOf(request: Visited): Caller {
  return request[visitor] ?? anyone
}
