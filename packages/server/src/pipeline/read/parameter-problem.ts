/** What is wrong with the parameters of a query, in words. */
import { type FieldError, nearest, ProblemError, problem } from '@nomen/core'
import { cut, quoted, sentence } from '../../foundation/quoted.ts'
import { ErrorList } from './error-list.ts'

/** Refuses a query that names anything else. */
export function refuseUnknown(given: ReadonlyMap<string, unknown>, names: ReadonlySet<string>, path: string): void {
  const errors = new ErrorList()
  for (const name of given.keys()) if (!names.has(name)) errors.add(() => unknownParameter(name, names))
  if (errors.count === 0) return
  const [first] = errors.kept
  const near = errors.count === 1 ? nearest(`${first?.parameter}`, names) : undefined
  const known = names.size === 0 ? 'It takes no parameters.' : `It takes ${[...names].join(', ')}.`
  throw new ProblemError(
    problem('unknown-parameter', {
      detail: `${path} has no parameter ${firstNames(errors)}.`,
      hint: near ? `Did you mean "${near}"?` : known,
      errors: errors.kept,
    }),
  )
}

/** How many names a message holds; the others are in `errors`. */
const mostNamed = 3

function firstNames({ kept, count }: ErrorList): string {
  const names = kept.slice(0, mostNamed).map(({ parameter }) => quoted(parameter))
  return count > mostNamed ? `${names.join(', ')} and ${count - mostNamed} more` : names.join(', ')
}

function unknownParameter(name: string, names: ReadonlySet<string>): FieldError {
  const near = nearest(name, names)
  const detail = near ? `There is no such parameter. Did you mean "${near}"?` : 'There is no such parameter.'
  return { parameter: cut(name), detail }
}

/** Of values that cannot be read; each detail is the end of a sentence about its parameter. */
export function invalidParameter(errors: readonly FieldError[]): ProblemError {
  const [first] = errors
  const more = errors.length > 1 ? ` ${errors.length - 1} more in errors.` : ''
  return new ProblemError(
    problem('invalid-parameter', {
      detail: `Parameter "${first?.parameter}" ${sentence(`${first?.detail}`)}${more}`,
      errors,
    }),
  )
}

/** What is wrong with a parameter that can be given but once. */
export function givenOnce(texts: readonly string[]): string {
  return `is given ${texts.length} times: give it once`
}
