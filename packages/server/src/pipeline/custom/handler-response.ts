/** Turns the result of a handler into a response: the declared properties, checked, and nothing else. */
import { hasDefault, type Operation, type Property, readValue, type Value } from '@nomen/core'
import { quoted } from '../../foundation/quoted.ts'
import type { TextResponse } from '../../message/text-response.ts'
import type { Values } from '../../store/plan.ts'
import { withDefaults } from '../read/custom.ts'

/** Creates the response writer of one operation at start. It throws if the result does not match the declared response. */
export function handlerResponseWriter(operation: Operation): (result: unknown) => TextResponse {
  const { status, custom, method, path } = operation
  if (!custom?.response) return () => ({ status, body: '' })
  const reject: Reject = (fault, fix) => {
    throw new Error(`The handler of ${method} ${path} returned ${fault}. ${fix}`)
  }
  const read = custom.isList ? listReader(custom.response, reject) : objectReader(custom.response, reject)
  return (result) => ({
    status,
    mediaType: 'application/json; charset=utf-8',
    body: JSON.stringify(read(result, '')),
  })
}

type Reject = (fault: string, fix: string) => never

function listReader(response: readonly Property[], reject: Reject): (result: unknown) => readonly Values[] {
  const read = objectReader(response, reject)
  return (result) => {
    if (!Array.isArray(result)) return reject(quoted(result), 'Return a list, which may be empty.')
    // Array.from also visits empty slots, which map() skips.
    return Array.from(result, (item, index) => read(item, ` in item ${index}`))
  }
}

/** `location` is for messages: the item of a list, or empty. */
function objectReader(response: readonly Property[], reject: Reject): (result: unknown, location: string) => Values {
  const names = response.map(({ name }) => name).join(', ')
  return (result, location) => {
    if (typeof result !== 'object' || result === null)
      return reject(`${quoted(result)}${location}`, `Return an object with ${names}.`)
    const values: Record<string, Value> = {}
    for (const { name, spec } of response) {
      const value = (result as Record<string, unknown>)[name]
      if (value === undefined) {
        if (!hasDefault(spec)) reject(`no "${name}"${location}`, 'Return it, or declare it with a default.')
        continue
      }
      const readResult = readValue(spec, value)
      if ('fault' in readResult)
        return reject(
          `${name} ${quoted(value)}${location}, which ${readResult.fault}`,
          'Return a value that the declared response allows.',
        )
      values[name] = readResult.value
    }
    return withDefaults(response, values)
  }
}
