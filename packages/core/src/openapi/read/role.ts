/** The role of an operation in the conventions, from its method, its path and its response. */
import type { Deprecation } from '../../declaration/deprecation.ts'
import type { OperationKind } from '../../operation/kind.ts'
import { isObject } from './node.ts'
import { type DescribedOperation, type DescribedParameter, type DocumentContent, isSuccess } from './operation.ts'
import { type ParameterRange, type ParameterRole, parameterRange, parameterRole } from './parameter-role.ts'
import { versionOf } from './path.ts'
import { type ListForm, listForm } from './record.ts'

/** The role of an operation in the conventions. `custom` is a custom operation, `other` does not follow the conventions. */
export type OperationRole = OperationKind | 'other'

const kinds: readonly OperationKind[] = [
  ...(['list', 'read', 'lookup', 'create', 'replace', 'update', 'delete', 'restore', 'erase'] as const),
  ...(['link', 'unlink', 'custom'] as const),
]

/** An operation of an OpenAPI document with its role, version and deprecation. */
export interface DocumentOperation extends DescribedOperation {
  readonly role: OperationRole
  /** Present for a list. */
  readonly list: ListForm | undefined
  readonly parameters: readonly DocumentParameter[]
  /** The number in `/v2`, or in the URL of the server; undefined if there is none. */
  readonly version: number | undefined
  readonly isDeprecated: boolean
  readonly deprecation: DocumentDeprecation | undefined
  /** Whether the endpoint has been removed and only returns 410. */
  readonly isGone: boolean
  readonly problems: readonly DocumentProblem[]
}

/** A parameter of an operation, with its role. */
export interface DocumentParameter extends DescribedParameter {
  /** Present for a query parameter of a list. */
  readonly role: ParameterRole | undefined
  readonly range: ParameterRange | undefined
}

/** The deprecation of an operation, as far as the document describes it. */
export type DocumentDeprecation = Partial<Deprecation>

/** An error response, with its problem codes if the document lists them. */
export interface DocumentProblem {
  readonly status: string
  readonly codes: readonly string[]
}

export interface RoleContext {
  /** The version in the URL of the server. */
  readonly serverVersion: number | undefined
  /** The names of the properties of the records that a list shows. */
  readonly propertiesOf: (list: DocumentOperation) => ReadonlySet<string>
}

export function withRoles(operations: readonly DescribedOperation[], context: RoleContext): DocumentOperation[] {
  const byKey = new Map(operations.map((operation) => [`${operation.method} ${operation.key}`, operation]))
  const hasRecordsAt = (key: string) => ['get', 'put', 'patch', 'delete'].some((name) => byKey.has(`${name} ${key}/{}`))
  const listAt = (key: string): ListForm | undefined => {
    const plain = key.replace(/-(detail|summary)$/, '')
    const isExpected = hasRecordsAt(key) || (plain !== key && listAt(plain) !== undefined)
    return listForm(byKey.get(`get ${key}`)?.success, key.slice(key.lastIndexOf('/') + 1), isExpected)
  }
  // A PUT below a parent that takes no body links two records, and the DELETE there unlinks them.
  const isLinkAt = (key: string) =>
    /\{\}.*\{\}$/.test(key) && byKey.get(`put ${key}`)?.body === undefined && byKey.has(`put ${key}`)
  const neighbours = { hasRecordsAt, listAt, isLinkAt }
  return operations.map((described) => {
    const { raw, key, path, responses } = described
    const role = kinds.find((kind) => kind === raw['x-nomen-kind']) ?? roleOf(described, neighbours)
    const deprecation = raw['x-nomen-deprecation']
    const operation: DocumentOperation = {
      ...described,
      role,
      list: role === 'list' ? (listAt(key) ?? { form: 'unknown', property: undefined, items: undefined }) : undefined,
      parameters: described.parameters.map((parameter) => withRole(parameter, () => operation, context)),
      version: versionOf(path)?.version ?? context.serverVersion,
      isDeprecated: raw.deprecated === true,
      deprecation: isObject(deprecation) ? (deprecation as DocumentDeprecation) : undefined,
      isGone:
        responses.has('410') && ![...responses.keys()].some((status) => isSuccess(status) || status === 'default'),
      get problems() {
        return [...responses].filter(([status]) => /^([45]|default$)/.test(status)).map(problemOf)
      },
    }
    return operation
  })
}

function withRole(
  parameter: DescribedParameter,
  owner: () => DocumentOperation,
  { propertiesOf }: RoleContext,
): DocumentParameter {
  const isListed = () => owner().role === 'list' && parameter.in === 'query'
  return {
    ...parameter,
    get role() {
      return isListed() ? parameterRole(parameter.name, propertiesOf(owner())) : undefined
    },
    get range() {
      const names = new Set(owner().parameters.map(({ name }) => name))
      return isListed() ? parameterRange(parameter, names, propertiesOf(owner())) : undefined
    },
  }
}

function problemOf([status, { shape }]: [string, DocumentContent]): DocumentProblem {
  const codes = shape?.properties.get('code')?.shape.schema.enum
  return { status, codes: Array.isArray(codes) ? codes.filter((code) => typeof code === 'string') : [] }
}

/** The operations at other paths, as far as they decide what one of them does. */
type Neighbours = Readonly<Record<'hasRecordsAt' | 'isLinkAt', (key: string) => boolean>> & {
  readonly listAt: (key: string) => ListForm | undefined
}

function roleOf({ method, key, segments, success }: DescribedOperation, neighbours: Neighbours): OperationRole {
  const names = segments.filter(({ text }) => text !== '')
  const [previous, last] = [names.at(-2), names.at(-1)]
  if (!last || last.text.startsWith('by-') || (!last.isParameter && last.text.includes('{'))) return 'other'
  if (!last.isParameter) {
    const isListed = neighbours.listAt(key) !== undefined
    if (method === 'get') return isListed ? 'list' : 'other'
    return method === 'post' && (isListed || neighbours.hasRecordsAt(key)) ? 'create' : 'other'
  }
  // The path of a record ends in a name and one parameter.
  if (previous?.isParameter !== false) return 'other'
  if (previous.text.startsWith('by-')) return method === 'get' ? 'lookup' : 'other'
  const isLink = neighbours.isLinkAt(key)
  switch (method) {
    case 'get':
      return listForm(success, previous.text, false) ? 'other' : 'read'
    case 'put':
      return isLink ? 'link' : 'replace'
    case 'patch':
      return 'update'
    case 'delete':
      return isLink ? 'unlink' : 'delete'
    default:
      return 'other'
  }
}
