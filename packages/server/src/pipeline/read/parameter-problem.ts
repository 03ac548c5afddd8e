/** Problems with query parameters. */
import { type FieldError, nearest, ProblemError, problem } from '@nomen/core'
import { cut, quoted, sentence } from '../../foundation/quoted.ts'
import { ErrorList, maxErrors, moreErrors } from './error-list.ts'

/** Throws `unknown-parameter` if the query has a parameter that is not in `names`. */
export function rejectUnknown(query: ReadonlyMap<string, unknown>, names: ReadonlySet<string>, path: string): void {
  const errors = new ErrorList()
  for (const name of query.keys()) if (!names.has(name)) errors.add(() => unknownParameter(name, names))
  if (errors.count === 0) return
  const [first] = errors.reported
  const suggestion = errors.count === 1 ? nearest(`${first?.parameter}`, names) : undefined
  const acceptedHint = names.size === 0 ? 'It accepts no parameters.' : `It accepts ${[...names].join(', ')}.`
  throw new ProblemError(
    problem('unknown-parameter', {
      detail: `${path} has no ${errors.count === 1 ? 'parameter' : 'parameters'} ${firstNames(errors)}.`,
      hint: suggestion ? `Did you mean "${suggestion}"?` : acceptedHint,
      errors: errors.reported,
    }),
  )
}

/** Throws `unknown-parameter` if the query has a parameter of the list of records that the list of their changes does not support. */
export function rejectUnsupported(query: ReadonlyMap<string, unknown>, names: readonly string[], path: string): void {
  const errors = new ErrorList()
  for (const parameter of names) {
    if (query.has(parameter)) errors.add(() => ({ parameter, detail: 'This parameter is not available for changes.' }))
  }
  if (errors.count === 0) return
  const [parameters, them] = errors.count === 1 ? ['parameter', 'it'] : ['parameters', 'them']
  const listPath = path.slice(0, path.lastIndexOf('/'))
  throw new ProblemError(
    problem('unknown-parameter', {
      detail: `${path} has no ${parameters} ${firstNames(errors)}, although ${listPath} has ${them}.`,
      hint: 'Use only filters that compare one field with a value. Ranges, search, custom filters and fields that require a scope are not available here.',
      errors: errors.reported,
    }),
  )
}

/** The maximum number of names in a message; `errors` has the others. */
const maxNames = 3

function firstNames({ reported, count }: ErrorList): string {
  const names = reported.slice(0, maxNames).map(({ parameter }) => quoted(parameter))
  return count > maxNames ? `${names.join(', ')} and ${count - maxNames} more` : names.join(', ')
}

function unknownParameter(name: string, names: ReadonlySet<string>): FieldError {
  const suggestion = nearest(name, names)
  const detail = suggestion ? `Unknown parameter. Did you mean "${suggestion}"?` : 'Unknown parameter.'
  return { parameter: cut(name), detail }
}

/** The problem of invalid values. Each detail is the predicate of a sentence about its parameter. */
export function invalidParameter(errors: readonly FieldError[], hint?: string): ProblemError {
  const [first] = errors
  return new ProblemError(
    problem('invalid-parameter', {
      detail: `Parameter "${first?.parameter}" ${sentence(`${first?.detail}`)}${moreErrors(errors.length)}`,
      ...(hint !== undefined && { hint }),
      errors: errors.slice(0, maxErrors),
    }),
  )
}

/** The detail for a parameter that must not be repeated. */
export function repeatedDetail(texts: readonly string[]): string {
  return `was sent ${texts.length} times. Send it once`
}
