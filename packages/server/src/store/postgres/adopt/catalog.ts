/** What a PostgreSQL database holds, whoever made it: tables, columns, keys, as its catalog tells them. */

export interface Catalog {
  /** The schema that was looked at. */
  readonly schema: string
  readonly tables: readonly CatalogTable[]
}

export interface CatalogTable {
  readonly name: string
  readonly kind: 'table' | 'partitioned table' | 'inherited table' | 'view' | 'materialized view' | 'foreign table'
  readonly comment: string | null
  /** Whether policies may hide some of its rows. */
  readonly isGuarded: boolean
  readonly columns: readonly CatalogColumn[]
  /** Columns whose values, taken together, no two rows share. */
  readonly keys: readonly CatalogKey[]
  readonly references: readonly CatalogReference[]
  readonly checks: readonly CatalogCheck[]
}

export interface CatalogColumn {
  readonly name: string
  /** The type by its short name, of a domain that which it is made of: int4, varchar, or a name of the database's own. */
  readonly type: string
  /** The type as it is declared: character varying(40). */
  readonly form: string
  /** Characters of a varchar, digits of a numeric, digits of a second; null where there is no limit. */
  readonly length: number | null
  readonly precision: number | null
  readonly scale: number | null
  /** The values of an enumerated type. */
  readonly choices: readonly string[] | null
  /** By itself, or by its domain; so is the default. */
  readonly isRequired: boolean
  /** The expression of its default. */
  readonly default: string | null
  /** Whether its values are computed from others. */
  readonly isGenerated: boolean
  /** Whether the database counts it up, by a sequence of its own. */
  readonly isCounted: boolean
  /** Whether texts that are equal are the same. */
  readonly isExact: boolean
  readonly comment: string | null
}

export interface CatalogKey {
  readonly columns: readonly string[]
  readonly isPrimary: boolean
  /** Whether it keeps texts apart without regard to case. */
  readonly isLowered: boolean
}

export interface CatalogReference {
  readonly columns: readonly string[]
  readonly target: string
  /** Whether the target lies in the same schema. */
  readonly isHere: boolean
  readonly targetColumns: readonly string[]
  readonly onDelete: 'refuse' | 'cascade' | 'clear' | 'default'
}

export interface CatalogCheck {
  readonly name: string
  readonly columns: readonly string[]
  /** That of a domain speaks of VALUE. */
  readonly condition: string
}
