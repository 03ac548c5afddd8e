/** Turns the rejections of a store, and records that it did not find, into problem documents. */
import { type FieldError, type Operation, type ProblemCode, ProblemError, problem, type Value } from '@nomen/core'
import { cut, quoted } from '../../foundation/quoted.ts'
import type { Rejection } from '../../store/outcome.ts'
import { canMatch } from '../entity-tag.ts'
import { maxErrors } from '../read/error-list.ts'
import type { ParsedRequest } from '../read/parsed-request.ts'

/** The problem of a path whose record at this level does not exist, or does not belong to the records before it. */
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
  const parents = names.slice(0, level).map((name, index) => ` of ${name} ${cut(`${parameters[index]}`)}`)
  return new ProblemError(
    problem('record-not-found', { detail: `There is no ${record}${parents.reverse().join('')}.` }),
  )
}

/** The problem of a rejected write. */
export function rejectionProblem(operation: Operation, request: ParsedRequest, rejection: Rejection): ProblemError {
  const nameOf = (field: string) => shownName(operation, field)
  const noun: string = operation.shape.noun.name
  switch (rejection.reason) {
    case 'precondition':
      return operation.requiresIfMatch && !request.ifMatch
        ? ifMatchRequiredProblem(operation)
        : preconditionProblem(noun, request)
    case 'not-linked':
      return notLinkedProblem(operation)
    case 'taken':
      return problemAt(
        'value-taken',
        settableNames(operation, rejection),
        takenDetail(operation, rejection),
        'Choose another value, or change the record that has this one.',
      )
    case 'no-target':
      return referenceNotFound(rejection.missing.map(({ field, value }) => ({ name: nameOf(field), value })))
    case 'transition':
      return problemAt(
        'transition-not-allowed',
        [nameOf(rejection.field)],
        `${nameOf(rejection.field)} cannot change from ${quoted(rejection.from)} to ${quoted(rejection.to)}.`,
        transitionHint(operation, rejection),
      )
    case 'rule':
      return problemAt(
        'rule-broken',
        rejection.breach.field ? [nameOf(rejection.breach.field)] : [],
        rejection.breach.detail,
        rejection.breach.hint,
      )
    case 'out-of-sight':
      return outOfSightProblem(operation, rejection)
    case 'referenced':
      return stillReferencedProblem(noun, rejection)
    case 'shared-value':
      return sharedValueProblem(operation, rejection)
    case 'key-reused':
      return new ProblemError(
        problem('idempotency-key-reused', {
          detail: 'This Idempotency-Key was already used with another body.',
          hint: 'Use a new key for a new record.',
        }),
      )
  }
}

/** The problem of properties that reference records that do not exist or that the caller cannot see. */
export function referenceNotFound(missing: readonly { readonly name: string; readonly value: Value }[]): ProblemError {
  return new ProblemError(
    problem('reference-not-found', {
      detail: missing.map(({ name, value }) => `The ${name} ${value} does not exist.`).join(' '),
      hint: 'Use the ID of an existing record.',
      errors: missing
        .slice(0, maxErrors)
        .map(({ name, value }) => ({ pointer: `/${name}`, detail: `${value} does not exist` })),
    }),
  )
}

/** The message names only fields that the api shows. */
function outOfSightProblem(operation: Operation, { fields }: Rejection & { reason: 'out-of-sight' }): ProblemError {
  const names = operation.body?.properties.filter(({ field }) => fields.includes(field)).map(({ name }) => name) ?? []
  const { shape } = operation
  const reason = names.length === 0 ? '' : ` because of ${names.join(' and ')}`
  return problemAt(
    'out-of-sight',
    names,
    `The ${shape.noun.name} would not be visible to you${reason}.`,
    'Use values that keep the record visible to you.',
  )
}

function stillReferencedProblem(
  referencedNoun: string,
  { noun: referringNoun, field, count }: Rejection & { reason: 'referenced' },
): ProblemError {
  const isOne = count === 1
  return new ProblemError(
    problem(
      'still-referenced',
      count === 0
        ? {
            detail: `Records that you cannot see reference this ${referencedNoun}.`,
            hint: 'Ask someone who has access to these records to change or delete them.',
          }
        : {
            detail: `${count} ${referringNoun} ${isOne ? 'record references' : 'records reference'} this ${referencedNoun} in the field "${field}".`,
            hint: `Change or delete ${isOne ? `the ${referringNoun} record` : `the ${count} ${referringNoun} records`} first.`,
          },
    ),
  )
}

function problemAt(code: ProblemCode, properties: readonly string[], detail: string, hint?: string): ProblemError {
  const errors: FieldError[] = properties.map((name) => ({ pointer: `/${name}`, detail }))
  return new ProblemError(problem(code, { detail, ...(hint && { hint }), ...(errors.length > 0 && { errors }) }))
}

function shownName({ shape, body }: Operation, field: string): string {
  const property =
    shape.properties.find((property) => property.field === field) ??
    body?.fromPath.find(({ property }) => property.field === field)?.property
  return property?.name ?? field
}

/**
 * The taken properties that clients can set in this operation. The others come from the path, are set by the service, or
 * cannot be changed.
 */
function settableNames(operation: Operation, { taken }: Rejection & { reason: 'taken' }): readonly string[] {
  const fields = taken.map(({ field }) => sourceField(operation, field))
  const properties = operation.body?.properties.filter(({ field }) => fields.includes(field)) ?? []
  return properties.map(({ name }) => name)
}

/**
 * The field to name in a message: the field itself, or, if clients cannot set it, the field whose value it copies by default
 * (`defaultFrom`).
 */
function sourceField({ body, shape }: Operation, field: string): string {
  const isSettable = body?.properties.some((property) => property.field === field)
  const source: string | undefined = shape.noun.fields[field]?.spec.defaultFrom
  return isSettable || source === undefined ? field : source
}

function takenDetail(operation: Operation, { taken }: Rejection & { reason: 'taken' }): string {
  const values = taken.map(
    ({ field, value }) => `${shownName(operation, sourceField(operation, field))} ${quoted(value)}`,
  )
  return `Another ${operation.shape.noun.name} has ${values.join(' and ')}.`
}

function preconditionProblem(noun: string, { ifMatch, ifNoneMatch }: ParsedRequest): ProblemError {
  const isMalformed = ifMatch !== undefined && !canMatch(ifMatch)
  const readAgain = `Read the record again, and repeat the request with its current ETag${isMalformed ? ', in double quotes and without W/' : ''}.`
  const reasons = [...(ifMatch ? ['does not match If-Match'] : []), ...(ifNoneMatch ? ['matches If-None-Match'] : [])]
  const detail = `The ETag of the ${noun} ${reasons.join(', or ')}.`
  const hint = ifMatch ? readAgain : 'Remove If-None-Match to change the existing record.'
  return new ProblemError(problem('precondition-failed', { detail, hint }))
}

function notLinkedProblem({ levels, shape }: Operation): ProblemError {
  const otherNoun: string | undefined = levels.at(-2)?.resource.noun.name
  const detail = `The ${shape.noun.name} is not linked with the ${otherNoun}, so If-Match cannot match.`
  return new ProblemError(problem('precondition-failed', { detail, hint: 'Remove If-Match to link them.' }))
}

function ifMatchRequiredProblem({ kind, shape }: Operation): ProblemError {
  return new ProblemError(
    problem('precondition-required', {
      detail: `${kind === 'delete' ? 'Deleting' : 'Changing'} this ${shape.noun.name} requires the If-Match header.`,
      hint: 'Read the record, and send its ETag as If-Match.',
    }),
  )
}

function transitionHint({ shape }: Operation, { field, from }: Rejection & { reason: 'transition' }): string {
  const nextValues = shape.noun.fields[field].spec.transitions?.[`${from}`] ?? []
  return nextValues.length === 0
    ? `${quoted(from)} is final: no transitions are allowed.`
    : `${quoted(from)} can change to ${nextValues.map(quoted).join(' or ')}.`
}

function sharedValueProblem(
  operation: Operation,
  { field, noun, count }: Rejection & { reason: 'shared-value' },
): ProblemError {
  const nounName: string = operation.shape.noun.name
  if (operation.kind === 'link') {
    return problemAt(
      'rule-broken',
      [],
      `The ${noun} and the ${nounName} do not have the same ${field}.`,
      `Only records with the same ${field} can be linked.`,
    )
  }
  const name = shownName(operation, field)
  if (count === 0) {
    const detail = `The ${name} cannot change: the ${nounName} is linked to records that you cannot see, and linked records must have the same ${name}.`
    return problemAt('rule-broken', [name], detail, 'Ask someone who has access to these records to remove the links.')
  }
  return problemAt(
    'rule-broken',
    [name],
    `The ${name} cannot change: the ${nounName} is linked to ${count} ${noun} ${count === 1 ? 'record' : 'records'}, and linked records must have the same ${name}.`,
    'Remove these links first.',
  )
}
