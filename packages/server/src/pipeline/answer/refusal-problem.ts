/** Turns what a store did not find, or refused to do, into the problem that a client reads. */
import { type FieldError, type Operation, type ProblemCode, ProblemError, problem } from '@nomen/core'
import { cut, quoted } from '../../foundation/quoted.ts'
import type { Refusal } from '../../store/outcome.ts'
import type { Ask } from '../read/ask.ts'

/** The problem of a path whose record at that level is not there, or is not related to those above it. */
export function missingRecord(
  { levels, lookup }: Operation,
  parameters: readonly string[],
  level: number,
): ProblemError {
  const names = levels.map(({ resource }) => resource.noun.name as string)
  const isLookup = lookup !== undefined && level === levels.length - 1
  const record = isLookup
    ? `${names[level]} whose ${lookup.name} is ${quoted(parameters[level])}`
    : `${names[level]} ${cut(`${parameters[level]}`)}`
  const above = names.slice(0, level).map((name, index) => ` of ${name} ${cut(`${parameters[index]}`)}`)
  return new ProblemError(problem('record-not-found', { detail: `There is no ${record}${above.reverse().join('')}.` }))
}

/** The problem of a refused write. */
export function refusalProblem(operation: Operation, ask: Ask, refusal: Refusal): ProblemError {
  const shown = (field: string) => shownName(operation, field)
  const noun: string = operation.shape.noun.name
  switch (refusal.reason) {
    case 'changed':
      return operation.isConditional && !ask.ifMatch ? matchRequired(noun) : preconditionFailed(noun, ask)
    case 'not-linked':
      return notLinked(operation)
    case 'taken':
      return at(
        'value-taken',
        givenNames(operation, refusal),
        takenDetail(operation, refusal),
        'Choose another value, or change the record that has this one.',
      )
    case 'no-target':
      return new ProblemError(
        problem('reference-not-found', {
          detail: refusal.missing.map(({ field, value }) => `${shown(field)} ${value} does not exist.`).join(' '),
          hint: 'Use the identity of a record that is there.',
          errors: refusal.missing.map(({ field, value }) => ({
            pointer: `/${shown(field)}`,
            detail: `${value} does not exist`,
          })),
        }),
      )
    case 'transition':
      return at(
        'transition-not-allowed',
        [shown(refusal.field)],
        `${shown(refusal.field)} cannot become ${quoted(refusal.to)} from ${quoted(refusal.from)}.`,
        transitionHint(operation, refusal),
      )
    case 'rule':
      return at(
        'rule-broken',
        refusal.breach.field ? [shown(refusal.breach.field)] : [],
        refusal.breach.detail,
        refusal.breach.hint,
      )
    case 'out-of-sight':
      return notVisible(operation, refusal)
    case 'referenced':
      return stillReferenced(noun, refusal)
    case 'not-shared':
      return notShared(operation, refusal)
    case 'key-reused':
      return new ProblemError(
        problem('idempotency-key-reused', {
          detail: 'This Idempotency-Key was used before, with another body.',
          hint: 'Use a new key for a new record.',
        }),
      )
  }
}

/** Fields that the api does not show are not named. */
function notVisible(operation: Operation, { fields }: Refusal & { reason: 'out-of-sight' }): ProblemError {
  const given = operation.body?.properties.filter(({ field }) => fields.includes(field)).map(({ name }) => name) ?? []
  const { kind, shape } = operation
  const because = given.length === 0 ? '' : ` because of ${given.join(' and ')}`
  return at(
    'out-of-sight',
    given,
    `You would not see the ${shape.noun.name} ${kind === 'create' ? 'that you create' : 'any more'}${because}.`,
    'Write only what you may see yourself.',
  )
}

function stillReferenced(own: string, { noun, field, count }: Refusal & { reason: 'referenced' }): ProblemError {
  const isOne = count === 1
  return new ProblemError(
    problem(
      'still-referenced',
      count === 0
        ? { detail: `Records that you do not see point at this ${own}.`, hint: unseenHint }
        : {
            detail: `${count} ${noun} ${isOne ? 'record points' : 'records point'} at this ${own} by ${field}.`,
            hint: `Change or delete ${isOne ? 'it' : 'them'} first.`,
          },
    ),
  )
}

const unseenHint = 'Ask someone who sees them.'

function at(code: ProblemCode, properties: readonly string[], detail: string, hint?: string): ProblemError {
  const errors: FieldError[] = properties.map((name) => ({ pointer: `/${name}`, detail }))
  return new ProblemError(problem(code, { detail, ...(hint && { hint }), ...(errors.length > 0 && { errors }) }))
}

function shownName({ shape, body }: Operation, field: string): string {
  const property =
    shape.properties.find((one) => one.field === field) ??
    body?.fromPath.find((one) => one.property.field === field)?.property
  return property?.name ?? field
}

/** The properties among those taken that a body can fix; the path gives the others. */
function givenNames(operation: Operation, { taken }: Refusal & { reason: 'taken' }): readonly string[] {
  const fields = taken.map(({ field }) => givenField(operation, field))
  const given = operation.body?.properties.filter(({ field }) => fields.includes(field)) ?? []
  return given.map(({ name }) => name)
}

/** A hidden field whose value came from a shown one is fixed there. */
function givenField({ body, shape }: Operation, field: string): string {
  const isShown = body?.properties.some((property) => property.field === field)
  const source: string | undefined = shape.noun.fields[field]?.spec.defaultFrom
  return isShown || source === undefined ? field : source
}

function takenDetail(operation: Operation, { taken }: Refusal & { reason: 'taken' }): string {
  const parts = taken.map(
    ({ field, value }) => `${shownName(operation, givenField(operation, field))} ${quoted(value)}`,
  )
  return `Another ${operation.shape.noun.name} has ${parts.join(' and ')}.`
}

function preconditionFailed(noun: string, { ifMatch, ifNoneMatch }: Ask): ProblemError {
  const again = 'Read it again, and send the change with its new ETag.'
  if (!ifNoneMatch) {
    const detail = `The ${noun} is no longer the one that If-Match names.`
    return new ProblemError(problem('precondition-failed', { detail, hint: again }))
  }
  const detail = ifMatch
    ? `The ${noun} is not the one that If-Match names, or it is one that If-None-Match names.`
    : `The ${noun} is one that If-None-Match names.`
  const hint = ifMatch ? again : 'Leave If-None-Match out to change what is there.'
  return new ProblemError(problem('precondition-failed', { detail, hint }))
}

function notLinked({ levels, shape }: Operation): ProblemError {
  const near: string | undefined = levels.at(-2)?.resource.noun.name
  const detail = `The ${shape.noun.name} is not linked with the ${near}: there is nothing that If-Match could name.`
  return new ProblemError(problem('precondition-failed', { detail, hint: 'Leave If-Match out to link them.' }))
}

function matchRequired(noun: string): ProblemError {
  return new ProblemError(
    problem('precondition-required', {
      detail: `A change of this ${noun} must say which version it is based on.`,
      hint: 'Read the record and send its ETag as If-Match.',
    }),
  )
}

function transitionHint({ shape }: Operation, { field, from }: Refusal & { reason: 'transition' }): string {
  const next = shape.noun.fields[field].spec.transitions?.[`${from}`] ?? []
  return next.length === 0
    ? `${quoted(from)} is a last state.`
    : `From ${quoted(from)} it can become ${next.map(quoted).join(' or ')}.`
}

function notShared(operation: Operation, { field, noun, count }: Refusal & { reason: 'not-shared' }): ProblemError {
  const own: string = operation.shape.noun.name
  if (operation.kind === 'link') {
    return at(
      'rule-broken',
      [],
      `The ${noun} and the ${own} do not have the same ${field}.`,
      `Only records with the same ${field} can be linked.`,
    )
  }
  const name = shownName(operation, field)
  if (count === 0) {
    const detail = `The ${own} is linked with records that you do not see, and that have its present ${name}.`
    return at('rule-broken', [name], detail, unseenHint)
  }
  return at(
    'rule-broken',
    [name],
    `The ${own} is linked with ${count} ${noun} ${count === 1 ? 'record' : 'records'} that have its present ${name}.`,
    'Remove these links first.',
  )
}
