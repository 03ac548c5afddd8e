/** The content of a new project as plain data, which the templates read. */

/** The server of a project: `nomen serve`, or a framework that the service is mounted in. */
export type Template = (typeof templates)[number]

export const templates = ['plain', 'hono', 'next'] as const

export interface Project {
  /** @default 'plain' */
  readonly template?: Template
  /** Name of the service, in kebab-case. */
  readonly name: string
  /** Identifier of the api in the files. */
  readonly identifier: string
  /** Description of the api. */
  readonly description?: string
  /** The number in its paths; undefined for none. */
  readonly version?: number
  readonly nouns: readonly [NounDraft, ...NounDraft[]]
  readonly links?: readonly LinkDraft[]
  /** URL of PostgreSQL; undefined for SQLite. */
  readonly database?: string
  /** Whether the project uses existing tables of the database in `DATABASE_URL`. */
  readonly isAdopted?: boolean
  /** The differences from the document or database that the project was created from. */
  readonly notes?: string
}

export interface NounDraft {
  readonly name: string
  /** Identifier in the files. */
  readonly identifier: string
  readonly fields: readonly FieldDraft[]
  /** The options of `noun`, such as `{ label: 'name' }`. */
  readonly options?: object
  /** The options of `resource`. */
  readonly resource?: object
  /** The nouns that are nested below this one. */
  readonly children?: readonly ChildDraft[]
  /** Sample records with all fields. */
  readonly records?: readonly object[]
}

export interface ChildDraft {
  /** Identifier in the files. */
  readonly identifier: string
  /** The link, if the child is not nested by a reference. */
  readonly via?: string
  /** The options of its `resource`. */
  readonly options?: object
}

export interface LinkDraft {
  /** Identifiers of the link and of its two nouns in the files. */
  readonly identifier: string
  readonly nouns: readonly [string, string]
  /** The options of `link`. */
  readonly options: object
}

export interface FieldDraft {
  readonly name: string
  /** The code of the declaration: `text({ maxLength: 120 })`. */
  readonly declaration: string
}

/** Mocks support only IDs that are numbers. */
export function isMockable(nouns: readonly NounDraft[]): boolean {
  return !nouns.some(({ fields }) => fields.some(({ declaration }) => declaration.startsWith("identity('guid')")))
}
