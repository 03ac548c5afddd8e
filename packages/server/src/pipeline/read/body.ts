/** Reads the body of a write: its media type, its JSON, and every property against its field. */
import {
  type Body,
  hasDefault,
  nearest,
  type Operation,
  ProblemError,
  type Property,
  problem,
  readValue,
  type Value,
} from '@nomen/core'
import { cut, quoted, sentence } from '../../foundation/quoted.ts'
import type { Values } from '../../store/plan.ts'
import type { RawRequest } from './ask.ts'
import { ErrorList } from './error-list.ts'
import { holdsMoreValues } from './json-size.ts'

type BodyReader = (raw: RawRequest, ancestors: readonly Value[], key: Value) => Values

/** Specialises the reading of one operation's body at start. */
export function bodyReader({ body, kind, path }: Operation): BodyReader | undefined {
  if (!body) return undefined
  const properties = new Map(body.properties.map((property) => [property.name, property]))
  const fromPath = new Map(body.fromPath.map((one) => [one.property.name, one]))
  const required = requiredNames(body, kind)
  const ignored = new Set(body.ignored)
  const known = [...properties.keys()]
  return (raw, ancestors, key) => {
    const given = parseObject(raw, kind)
    const values: Record<string, Value> = {}
    const errors = new ErrorList()
    let mismatch: { name: string; given: unknown; expected: Value } | undefined
    for (const [name, value] of Object.entries(given)) {
      const property = properties.get(name)
      const fixed = fromPath.get(name)
      if (property) readProperty(property, value, values, errors)
      else if (fixed) {
        const expected = ancestors[fixed.level] ?? null
        if (value !== expected) mismatch ??= { name, given: value, expected }
      } else if (name === body.identity?.name) {
        if (kind !== 'create' && value !== key) mismatch ??= { name, given: value, expected: key }
      } else if (!ignored.has(name))
        errors.add(() => ({ pointer: pointer(cut(name)), detail: unknownDetail(name, known) }))
    }
    for (const name of required)
      if (!Object.hasOwn(given, name)) errors.add(() => ({ pointer: pointer(name), detail: 'is missing' }))
    if (errors.count > 0) throw invalidBody(errors, kind, path, known)
    if (mismatch) throw identityMismatch(mismatch)
    for (const { property, level } of body.fromPath)
      if (kind === 'create') values[property.field] = ancestors[level] ?? null
    return values
  }
}

function requiredNames({ properties }: Body, kind: Operation['kind']): readonly string[] {
  if (kind === 'update') return []
  const required = kind === 'replace' ? properties : properties.filter(({ spec }) => !hasDefault(spec))
  return required.map(({ name }) => name)
}

function readProperty(
  { name, field, spec }: Property,
  given: unknown,
  values: Record<string, Value>,
  errors: ErrorList,
): void {
  const reading = readValue(spec, given)
  if ('fault' in reading)
    errors.add(() => ({ pointer: pointer(name), detail: `${reading.fault}, not ${quoted(given)}` }))
  else values[field] = reading.value
}

function unknownDetail(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  return near ? `is no property here. Did you mean "${near}"?` : 'is no property here'
}

function invalidBody(errors: ErrorList, kind: string, path: string, known: readonly string[]): ProblemError {
  const [first] = errors.kept
  const isMissing = errors.kept.some(({ detail }) => detail === 'is missing')
  const usePatch = kind === 'replace' && isMissing ? ` PUT takes all of them: use PATCH to send only some.` : ''
  return new ProblemError(
    problem('invalid-body', {
      detail: `"${first?.pointer}" ${sentence(`${first?.detail}`)}${errors.more}`,
      hint: `${path} takes ${known.join(', ')}.${usePatch}`,
      errors: errors.kept,
    }),
  )
}

function identityMismatch({ name, given, expected }: { name: string; given: unknown; expected: Value }): ProblemError {
  return new ProblemError(
    problem('identity-mismatch', {
      detail: `The body says ${name} ${quoted(given)}, the path says ${quoted(expected)}.`,
      hint: `Leave ${name} out of the body, or send it to the path of the record that is meant.`,
      errors: [{ pointer: pointer(name), detail: `must be ${quoted(expected)}` }],
    }),
  )
}

/** How many values a body may hold: more than any record has properties. */
const maxValues = 10_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseObject({ body, headers }: RawRequest, kind: Operation['kind']): object {
  if (!body || body.length === 0) {
    throw new ProblemError(problem('malformed-json', { detail: 'The body is empty.', hint: 'Send a JSON object.' }))
  }
  checkMediaType(headers['content-type'], kind)
  checkEncoding(headers['content-encoding'])
  if (holdsMoreValues(body, maxValues)) {
    throw new ProblemError(
      problem('invalid-body', {
        detail: `The body holds more than ${maxValues} values.`,
        hint: 'Send a JSON object with the properties of one record.',
      }),
    )
  }
  let given: unknown
  try {
    given = JSON.parse(utf8.decode(body))
  } catch (error) {
    const reason =
      error instanceof SyntaxError
        ? error.message
        : error instanceof RangeError
          ? 'it is nested too deeply'
          : 'it is not UTF-8'
    throw new ProblemError(
      problem('malformed-json', {
        detail: `The body is no JSON: ${reason}.`,
        hint: 'Send a JSON object in UTF-8.',
      }),
    )
  }
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given
  throw new ProblemError(
    problem('invalid-body', {
      detail: `The body is ${quoted(given)}, not an object.`,
      hint: 'Send a JSON object.',
    }),
  )
}

function checkMediaType(header: string | string[] | undefined, kind: Operation['kind']): void {
  // What nearly everybody sends need not be taken apart.
  if (header === 'application/json') return
  const [type = '', ...parameters] = `${header ?? ''}`
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const isJson = type === 'application/json' || (type === 'application/merge-patch+json' && kind === 'update')
  const charset = parameters
    .find((part) => part.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '')
  if (isJson && (charset === undefined || charset === 'utf-8' || charset === 'utf8')) return
  throw new ProblemError(
    problem('unsupported-media-type', {
      detail: header === undefined ? 'The body has no Content-Type.' : `The body is ${quoted(header)}.`,
      hint: `Send Content-Type: application/json${kind === 'update' ? ' or application/merge-patch+json' : ''}, in UTF-8.`,
    }),
  )
}

function checkEncoding(header: string | string[] | undefined): void {
  if (header === undefined || header === 'identity') return
  throw new ProblemError(
    problem('unsupported-media-type', {
      detail: `The body is encoded as ${quoted(header)}.`,
      hint: 'Send it as it is, without Content-Encoding.',
    }),
  )
}

function pointer(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
