/** Which operation a request is for, where that is known before it is answered: whoever observes it need not look again. */
import type { IncomingMessage } from 'node:http'
import type { Operation } from '@nomen/core'

/** A request leads to its operation; looking that up elsewhere would take a table. */
const noted = Symbol('operation')
type Noted = IncomingMessage & { [noted]?: Operation }

export function noteOperation(request: Noted, operation: Operation): void {
  request[noted] = operation
}

export function notedOperation(request: Noted): Operation | undefined {
  return request[noted]
}
