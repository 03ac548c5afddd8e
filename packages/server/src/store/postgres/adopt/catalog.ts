/** The content of a PostgreSQL catalog: tables, columns, keys and checks. */

/** The catalog of a PostgreSQL database. */
export interface Catalog {
  /** The schema that was read. */
  readonly schema: string
  readonly tables: readonly CatalogTable[]
}

/** A table or view of a PostgreSQL database. */
export interface CatalogTable {
  readonly name: string
  readonly kind: 'table' | 'partitioned table' | 'inherited table' | 'view' | 'materialized view' | 'foreign table'
  readonly comment: string | null
  /** Whether it has row-level security, which may hide rows. */
  readonly hasRowSecurity: boolean
  readonly columns: readonly CatalogColumn[]
  /** Unique keys. */
  readonly keys: readonly CatalogKey[]
  readonly references: readonly CatalogReference[]
  readonly checks: readonly CatalogCheck[]
}

/** A column of a PostgreSQL table. */
export interface CatalogColumn {
  readonly name: string
  /** The short name of the type, such as int4 or varchar; of a domain, the name of its base type. */
  readonly type: string
  /** The type as it is declared: character varying(40). */
  readonly form: string
  /** Characters of a varchar, digits of a numeric, digits of a second; null without a limit. */
  readonly length: number | null
  readonly precision: number | null
  readonly scale: number | null
  /** The values of an enum type. */
  readonly choices: readonly string[] | null
  /** Not null, by the column or its domain. The same applies to the default. */
  readonly isRequired: boolean
  /** The expression of its default. */
  readonly default: string | null
  /** Whether it is a generated column. */
  readonly isGenerated: boolean
  /** Whether it has a sequence of its own. */
  readonly hasSequence: boolean
  /** Whether its collation is deterministic, so that only identical strings are equal. */
  readonly hasDeterministicCollation: boolean
  readonly comment: string | null
}

export interface CatalogKey {
  readonly columns: readonly string[]
  readonly isPrimary: boolean
  /** Whether the index is on the column in lower case. */
  readonly isLowered: boolean
}

/** A foreign key of a PostgreSQL table. */
export interface CatalogReference {
  readonly columns: readonly string[]
  readonly target: string
  /** Whether the target is in the same schema. */
  readonly isInSchema: boolean
  readonly targetColumns: readonly string[]
  readonly onDelete: 'restrict' | 'cascade' | 'clear' | 'default'
}

/** A check constraint of a PostgreSQL table. */
export interface CatalogCheck {
  readonly name: string
  readonly columns: readonly string[]
  /** The check of a domain uses VALUE. */
  readonly condition: string
}
