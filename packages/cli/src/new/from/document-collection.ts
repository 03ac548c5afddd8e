/** The collections of a document: which of its operations are about which noun. */
import { type ContractOperation, contractOf, isCustom, type OpenApiDocument } from '@nomen/conventions'
import { type FlatSchema, flatSchema } from './flat-schema.ts'
import { nounName } from './names.ts'
import type { Note } from './note.ts'

export interface Collection {
  readonly noun: string
  /** The segment in the paths. */
  readonly segment: string
  /** What path templates call the identity. */
  readonly parameter: string | undefined
  readonly identity: FlatSchema
  readonly offers: ReadonlySet<string>
  readonly record: FlatSchema
  readonly item: FlatSchema | undefined
  readonly isPaged: boolean
  /** The items of `/user-summary` and `/user-detail`, where there are such lists. */
  readonly summary: FlatSchema | undefined
  readonly detail: FlatSchema | undefined
  readonly list: ContractOperation | undefined
  /** Properties that a record can be looked up by. */
  readonly by: readonly string[]
  /** The nouns in whose paths it stands as a child. */
  readonly parents: readonly string[]
}

interface Place {
  readonly operation: ContractOperation
  readonly segments: readonly string[]
}

const offerOf: Readonly<Record<string, string>> = { get: 'read', put: 'replace', patch: 'update', delete: 'delete' }

/** The version that all paths stand under; undefined where they do not. */
export function versionOf(document: OpenApiDocument): number | undefined {
  const versions = new Set(contractOf(document).map(({ path }) => /\/v(\d+)(?=\/)/.exec(path)?.[1]))
  const [only] = versions
  return versions.size === 1 && only !== undefined ? Number(only) : undefined
}

export function collectionsOf(document: OpenApiDocument, note: (note: Note) => void): readonly Collection[] {
  const places = contractOf(document).map((operation) => ({ operation, segments: segmentsOf(operation.path) }))
  const byNoun = new Map<string, Place[]>()
  for (const place of places) {
    const noun = nounOf(place.segments)
    if (isCustom(place.operation)) note({ place: nameOf(place.operation), text: ofItsOwn })
    else if (noun === undefined) note({ place: nameOf(place.operation), text: notANoun })
    else byNoun.set(noun, [...(byNoun.get(noun) ?? []), place])
  }
  return [...byNoun].flatMap(([noun, about]) => collectionOf(document, noun, about, note) ?? [])
}

const notANoun =
  'Left out: a path is a noun, or a noun and its identity. Something done is a change of a record, or a record of its own.'

const ofItsOwn =
  'Left out: what it does stands in no document. Declare it with operation(), and handle it in the service file.'

/** Without the version, and without what stands before all paths of an api. */
function segmentsOf(path: string): readonly string[] {
  const all = path.split('/').filter((segment) => segment !== '')
  const version = all.findIndex((segment) => /^v\d+$/.test(segment))
  const rest = all.slice(version + 1)
  return rest[0] === 'api' ? rest.slice(1) : rest
}

const isParameter = (segment: string | undefined) => segment?.startsWith('{') === true && segment.endsWith('}')

/** The last noun of `user/{id}/preference/{id}`; undefined where nouns and identities do not alternate. */
function nounOf(segments: readonly string[]): string | undefined {
  const isLookup = segments.length === 3 && /^by-/.test(segments[1] ?? '') && isParameter(segments[2])
  const names = segments.filter((_, index) => index % 2 === 0)
  const identities = segments.filter((_, index) => index % 2 === 1)
  if (!isLookup && (names.some(isParameter) || !identities.every(isParameter))) return undefined
  const last = (isLookup ? segments[0] : names.at(-1)) ?? ''
  return nounName(last.replace(/-(summary|detail)$/, ''))
}

function collectionOf(
  document: OpenApiDocument,
  noun: string,
  places: readonly Place[],
  note: (note: Note) => void,
): Collection | undefined {
  const isVariant = ({ segments }: Place) => /-(summary|detail)$/.test(segments.at(-1) ?? '')
  const lookups = places.filter(({ segments }) => segments[1]?.startsWith('by-'))
  const plain = places.filter((place) => !lookups.includes(place) && !isVariant(place))
  const shallow = Math.min(...plain.map(({ segments }) => Math.ceil(segments.length / 2)))
  const own = plain.filter(({ segments }) => Math.ceil(segments.length / 2) === shallow)
  const single = own.filter(({ segments }) => segments.length % 2 === 0)
  const whole = own.filter(({ segments }) => segments.length % 2 === 1)
  const list = whole.find(({ operation }) => operation.method === 'get')?.operation
  const create = whole.find(({ operation }) => operation.method === 'post')?.operation
  const read = single.find(({ operation }) => operation.method === 'get')?.operation
  const listed = list && itemOf(document, answerOf(document, list))
  const record = [
    read && answerOf(document, read),
    create && answerOf(document, create),
    create && bodyOf(document, create),
    listed?.item,
  ].find((schema) => schema && Object.keys(schema.properties ?? {}).length > 0)
  if (!record || (!list && !read)) {
    for (const { operation } of places) {
      const text = record
        ? 'Left out: there is neither a list of them nor a single one to read.'
        : 'Left out: nothing says what a record holds.'
      note({ place: nameOf(operation), text })
    }
    return undefined
  }
  const variant = (name: string) => {
    const found = places.find(({ segments }) => segments.length === 1 && segments[0]?.endsWith(`-${name}`))
    return found && itemOf(document, answerOf(document, found.operation))?.item
  }
  const parameter = single[0]?.segments.at(-1)?.slice(1, -1)
  return {
    noun,
    segment: own[0]?.segments.at(-1 - ((own[0]?.segments.length ?? 1) % 2 === 0 ? 1 : 0)) ?? noun,
    parameter,
    identity: single[0]?.operation.parameters.find(({ name }) => name === parameter)?.schema ?? {},
    offers: new Set([
      'list',
      ...(create ? ['create'] : []),
      ...single.flatMap(({ operation }) => offerOf[operation.method] ?? []),
    ]),
    record,
    item: listed?.item,
    isPaged: listed?.isPaged ?? true,
    summary: variant('summary'),
    detail: variant('detail'),
    list,
    by: lookups.map(({ segments }) => (segments[1] ?? '').slice('by-'.length)),
    parents: plain.flatMap(({ segments }) =>
      segments.length > 2 ? (nounName(segments.at(-3 + (segments.length % 2 === 0 ? -1 : 0)) ?? '') ?? []) : [],
    ),
  }
}

function answerOf(document: OpenApiDocument, { responses }: ContractOperation): FlatSchema {
  const response = ['200', '201', '2XX', 'default'].flatMap((status) => responses.get(status) ?? [])[0]
  return flatSchema(document, json(response?.schemas))
}

function bodyOf(document: OpenApiDocument, { body }: ContractOperation): FlatSchema {
  return flatSchema(document, json(body?.schemas))
}

function json(schemas: ReadonlyMap<string, FlatSchema> | undefined): FlatSchema | undefined {
  return [...(schemas ?? [])].find(([type]) => /json/.test(type))?.[1]
}

/** The items of a list: of a plain array, or of the one array in an envelope. */
function itemOf(document: OpenApiDocument, list: FlatSchema): { item: FlatSchema; isPaged: boolean } | undefined {
  if (list.type === 'array') return { item: flatSchema(document, list.items), isPaged: false }
  const arrays = Object.values(list.properties ?? {})
    .map((property) => flatSchema(document, property))
    .filter(({ type }) => type === 'array')
  const [only] = arrays
  return only && arrays.length === 1 ? { item: flatSchema(document, only.items), isPaged: true } : undefined
}

export function nameOf({ method, path }: ContractOperation): string {
  return `${method.toUpperCase()} ${path}`
}
