/** Divides the tables of a database into nouns, links and others. */
import { api, DeclarationError, identity, noun as nounOf, resource } from '@nomen/core'
import { service } from '@nomen/server'
import type { Catalog, CatalogTable } from '@nomen/server/admin'
import { identifierOf } from '../../identifier.ts'
import type { LinkDraft } from '../../project.ts'
import { nounName } from '../names.ts'
import type { Note } from '../note.ts'

export interface NounTable {
  readonly table: CatalogTable
  readonly noun: string
  /** Identifier in the files. */
  readonly identifier: string
  /** The column of the primary key. */
  readonly identity: string
  /** Whether the database or the service generates the ID of new rows. */
  readonly hasSequence: boolean
}

const integerTypes = ['int2', 'int4', 'int8']

/** Notes the tables that are neither, with the reason. */
export function nounTables(
  { tables }: Catalog,
  note: (note: Note) => void,
): { readonly nouns: readonly NounTable[]; readonly pairs: readonly CatalogTable[] } {
  const nouns: NounTable[] = []
  const others: { readonly table: CatalogTable; readonly reason: string }[] = []
  for (const table of tables) {
    const result = nounTable(table, nouns)
    if (typeof result === 'string') others.push({ table, reason: result })
    else nouns.push(result)
  }
  const pairs = new Map<string, CatalogTable>()
  for (const { table, reason } of others) {
    const key = isPair(table, nouns) ? linkKey(table, nouns) : undefined
    const sameLink = key === undefined ? undefined : pairs.get(key)
    if (key !== undefined && !sameLink) pairs.set(key, table)
    else
      note({
        source: table.name,
        text: sameLink ? `Left out: the table ${sameLink.name} links the same two nouns.` : reason,
      })
  }
  return { nouns, pairs: [...pairs.values()] }
}

function nounTable(table: CatalogTable, nouns: readonly NounTable[]): NounTable | string {
  const { name, kind, hasRowSecurity, keys, columns } = table
  if (kind !== 'table') return `Left out: a ${kind}. Only plain tables are supported.`
  if (hasRowSecurity) return 'Left out: it has row-level security, which would hide rows from the service.'
  const key = keys.find(({ isPrimary }) => isPrimary)?.columns ?? []
  const [identityColumn] = key
  if (identityColumn === undefined) return 'Left out: it has no primary key.'
  if (key.length > 1)
    return `Left out: its primary key has several columns: ${key.join(' and ')}. Add a primary key with one column.`
  const column = columns.find((candidate) => candidate.name === identityColumn)
  const isGuid = column?.type === 'uuid'
  if (!column || !(isGuid || integerTypes.includes(column.type)))
    return `Left out: its primary key ${identityColumn} is ${column?.form}. An ID must be an integer or a uuid.`
  const noun = nounName(name)
  if (noun === undefined) return 'Left out: its name has no letters for the name of a noun.'
  const sameNoun = nouns.find((other) => other.noun === noun)
  if (sameNoun) return `Left out: the table ${sameNoun.table.name} is already the noun ${noun}.`
  const error = declarationErrorOf(noun, name)
  if (error) return `Left out: ${error.mistake}`
  return {
    table,
    noun,
    identifier: identifierOf(noun, 'Noun'),
    identity: identityColumn,
    hasSequence: isGuid || column.hasSequence,
  }
}

function declarationErrorOf(noun: string, table: string): DeclarationError | undefined {
  try {
    const trialResource = resource(nounOf(noun, { id: identity() }, { table }))
    service({
      name: 'trial',
      apis: [api('trial', { versioning: 'per-noun', writes: 'flat', resources: [trialResource] })],
    })
    return undefined
  } catch (error) {
    if (error instanceof DeclarationError) return error
    throw error
  }
}

/** Whether a table is a link: unique pairs of IDs, and no other required column. */
function isPair(table: CatalogTable, nouns: readonly NounTable[]): boolean {
  const linkedNouns = linkedNounsOf(table, nouns)
  if (
    table.kind !== 'table' ||
    table.hasRowSecurity ||
    linkedNouns.length !== 2 ||
    linkedNouns[0]?.to === linkedNouns[1]?.to
  )
    return false
  const columns = linkedNouns.map(({ column }) => column)
  const isKey = table.keys.some(({ columns: key }) => key.length === 2 && columns.every((name) => key.includes(name)))
  const hasNoOtherRequired = table.columns.every(
    ({ name, isRequired, default: value }) => columns.includes(name) || !isRequired || value !== null,
  )
  return isKey && hasNoOtherRequired
}

/** The same key for both orders of two nouns. */
function linkKey(table: CatalogTable, nouns: readonly NounTable[]): string {
  const names = linkedNounsOf(table, nouns).map(({ to }) => to.noun)
  return names.sort().join()
}

function linkedNounsOf({ keys, references }: CatalogTable, nouns: readonly NounTable[]) {
  const key =
    keys.find(({ isPrimary }) => isPrimary)?.columns ?? keys.find(({ columns }) => columns.length === 2)?.columns
  return (key ?? []).flatMap((column) => {
    const reference = references.find(
      ({ columns, isInSchema }) => isInSchema && columns.length === 1 && columns[0] === column,
    )
    const to = nouns.find(
      ({ table, identity }) => table.name === reference?.target && reference.targetColumns[0] === identity,
    )
    return to ? [{ column, to }] : []
  })
}

export function linkDraftOf(table: CatalogTable, nouns: readonly NounTable[]): LinkDraft {
  const [first, second] = linkedNounsOf(table, nouns) as [
    { column: string; to: NounTable },
    { column: string; to: NounTable },
  ]
  const name = `${first.to.noun}-${second.to.noun}`
  return {
    identifier: identifierOf(
      name,
      'Noun',
      nouns.map(({ identifier }) => identifier),
    ),
    nouns: [first.to.identifier, second.to.identifier],
    options: { table: table.name, columns: [first.column, second.column] },
  }
}
