/** Parses query strings strictly: invalid percent-encoding is a problem. */
import { ProblemError, problem } from '@nomen/core'
import { quoted } from '../../foundation/quoted.ts'

/** The values of each parameter, in their order. */
export type Query = ReadonlyMap<string, readonly string[]>

const emptyQuery: Query = new Map()

/** `+` is a space. */
export function parseQuery(text: string): Query {
  if (text === '') return emptyQuery
  const query = new Map<string, string[]>()
  for (const part of text.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decode(equals === -1 ? part : part.slice(0, equals))
    const value = equals === -1 ? '' : decode(part.slice(equals + 1))
    const values = query.get(name)
    if (values) values.push(value)
    else query.set(name, [value])
  }
  return query
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new ProblemError(
      problem('malformed-url', {
        detail: `The query has invalid percent-encoding: ${quoted(text)}.`,
        hint: 'Encode names and values as UTF-8, such as %C3%A9 for é, and a percent sign as %25.',
      }),
    )
  }
}
