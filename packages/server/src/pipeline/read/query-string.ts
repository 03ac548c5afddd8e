/** The query string, read strictly: broken percent-encoding is a problem, not a guess. */
import { ProblemError, problem } from '@nomen/core'
import { quoted } from '../../foundation/quoted.ts'

const nothing: ReadonlyMap<string, readonly string[]> = new Map()

/** Every value of every name, in the order given. `+` is a space. */
export function parseQuery(text: string): ReadonlyMap<string, readonly string[]> {
  if (text === '') return nothing
  const given = new Map<string, string[]>()
  for (const part of text.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decode(equals === -1 ? part : part.slice(0, equals))
    const value = equals === -1 ? '' : decode(part.slice(equals + 1))
    const values = given.get(name)
    if (values) values.push(value)
    else given.set(name, [value])
  }
  return given
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new ProblemError(
      problem('malformed-url', {
        detail: `The query holds broken percent-encoding: ${quoted(text)}.`,
        hint: 'Encode names and values as UTF-8, such as %C3%A9 for é, and a percent sign as %25.',
      }),
    )
  }
}
