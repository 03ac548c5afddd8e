/** Which tables of a database are nouns, which are links, and which are neither. */
import { api, DeclarationError, identity, noun as nounOf, resource } from '@nomen/core'
import { service } from '@nomen/server'
import type { Catalog, CatalogTable } from '@nomen/server/admin'
import { identifierOf } from '../identifier.ts'
import type { LinkDraft } from '../project.ts'
import { nounName } from './names.ts'
import type { Note } from './note.ts'

export interface NounTable {
  readonly table: CatalogTable
  readonly noun: string
  /** What the files call it. */
  readonly identifier: string
  /** The column that tells its rows apart. */
  readonly identity: string
  /** Whether the database, or the service, gives new rows their identity. */
  readonly isCounted: boolean
}

const whole = ['int2', 'int4', 'int8']

/** What is neither is noted, with the reason. */
export function nounTables(
  { tables }: Catalog,
  note: (note: Note) => void,
): { readonly nouns: readonly NounTable[]; readonly pairs: readonly CatalogTable[] } {
  const nouns: NounTable[] = []
  const others: { readonly table: CatalogTable; readonly reason: string }[] = []
  for (const table of tables) {
    const found = nounTable(table, nouns)
    if (typeof found === 'string') others.push({ table, reason: found })
    else nouns.push(found)
  }
  const pairs = new Map<string, CatalogTable>()
  for (const { table, reason } of others) {
    const key = isPair(table, nouns) ? linkKey(table, nouns) : undefined
    const twin = key === undefined ? undefined : pairs.get(key)
    if (key !== undefined && !twin) pairs.set(key, table)
    else note({ place: table.name, text: twin ? `Left out: the table ${twin.name} links the same two nouns.` : reason })
  }
  return { nouns, pairs: [...pairs.values()] }
}

function nounTable(table: CatalogTable, known: readonly NounTable[]): NounTable | string {
  const { name, kind, isGuarded, keys, columns } = table
  if (kind !== 'table') return `Left out: a ${kind}. Only plain tables are served.`
  if (isGuarded) return 'Left out: it has row security, and rows that a policy hides would be missed.'
  const key = keys.find(({ isPrimary }) => isPrimary)?.columns ?? []
  const [identityColumn] = key
  if (identityColumn === undefined) return 'Left out: it has no primary key, so nothing tells one row from another.'
  if (key.length > 1)
    return `Left out: its primary key is made of ${key.join(' and ')}. A noun has one identity: give it a column of its own.`
  const column = columns.find((one) => one.name === identityColumn)
  const isGuid = column?.type === 'uuid'
  if (!column || !(isGuid || whole.includes(column.type)))
    return `Left out: its primary key ${identityColumn} is ${column?.form}. An identity is a number or a uuid.`
  const noun = nounName(name)
  if (noun === undefined) return 'Left out: no noun can be made of its name.'
  const twin = known.find((one) => one.noun === noun)
  if (twin) return `Left out: the table ${twin.table.name} is the noun ${noun} already.`
  const refused = refusalOf(noun, name)
  if (refused) return `Left out: ${refused.rule}`
  return {
    table,
    noun,
    identifier: identifierOf(noun, 'Noun'),
    identity: identityColumn,
    isCounted: isGuid || column.isCounted,
  }
}

function refusalOf(noun: string, table: string): DeclarationError | undefined {
  try {
    const shown = resource(nounOf(noun, { id: identity() }, { table }))
    service({ name: 'trial', apis: [api('trial', { versioning: 'per-noun', writes: 'flat', resources: [shown] })] })
    return undefined
  } catch (error) {
    if (error instanceof DeclarationError) return error
    throw error
  }
}

/** Pairs of two nouns' identities, each once, and nothing else that a pair must have. */
function isPair(table: CatalogTable, nouns: readonly NounTable[]): boolean {
  const ends = endsOf(table, nouns)
  if (table.kind !== 'table' || table.isGuarded || ends.length !== 2 || ends[0]?.to === ends[1]?.to) return false
  const columns = ends.map(({ column }) => column)
  const isKey = table.keys.some(({ columns: key }) => key.length === 2 && columns.every((name) => key.includes(name)))
  const isBare = table.columns.every(
    ({ name, isRequired, default: value }) => columns.includes(name) || !isRequired || value !== null,
  )
  return isKey && isBare
}

/** Two nouns are linked once, whichever of them comes first. */
function linkKey(table: CatalogTable, nouns: readonly NounTable[]): string {
  const names = endsOf(table, nouns).map(({ to }) => to.noun)
  return names.sort().join()
}

function endsOf({ keys, references }: CatalogTable, nouns: readonly NounTable[]) {
  const key =
    keys.find(({ isPrimary }) => isPrimary)?.columns ?? keys.find(({ columns }) => columns.length === 2)?.columns
  return (key ?? []).flatMap((column) => {
    const found = references.find(({ columns, isHere }) => isHere && columns.length === 1 && columns[0] === column)
    const to = nouns.find(({ table, identity }) => table.name === found?.target && found.targetColumns[0] === identity)
    return to ? [{ column, to }] : []
  })
}

export function linkDraftOf(table: CatalogTable, nouns: readonly NounTable[]): LinkDraft {
  const [first, second] = endsOf(table, nouns) as [{ column: string; to: NounTable }, { column: string; to: NounTable }]
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
