/** Who was let in with a request: known from the gate on, and needed again by the operation and by the access log. */
import type { IncomingMessage } from 'node:http'
import { anyone, type Caller } from '../caller.ts'

/** A request leads to its caller; looking that up elsewhere would take a table. */
const visitor = Symbol('visitor')
type Visited = IncomingMessage & { [visitor]?: Caller }

export function noteCaller(request: Visited, caller: Caller): void {
  request[visitor] = caller
}

/** Anyone, where nobody has to say who they are. */
export function callerOf(request: Visited): Caller {
  return request[visitor] ?? anyone
}
