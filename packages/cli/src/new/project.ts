/** What a new project is made of, before it is written: plain data that the templates read. */

export interface Project {
  /** The service, in lower kebab-case. */
  readonly name: string
  /** What the files call its api. */
  readonly identifier: string
  /** The number in its paths; undefined for none. */
  readonly version?: number
  readonly nouns: readonly [NounDraft, ...NounDraft[]]
  readonly links?: readonly LinkDraft[]
  /** An address of PostgreSQL; undefined for a file of SQLite. */
  readonly database?: string
  /** Whether its tables are there already, in a database that `DATABASE_URL` names. */
  readonly isAdopted?: boolean
  /** What did not fit, where it was read from something else. */
  readonly notes?: string
}

export interface NounDraft {
  readonly name: string
  /** What the files call it. */
  readonly identifier: string
  readonly fields: readonly FieldDraft[]
  /** What is said of it elsewhere. */
  readonly comment?: string
  /** The options of `noun`, such as `{ label: 'name' }`. */
  readonly options?: object
  /** The options of `resource`. */
  readonly resource?: object
  /** What the files call the nouns that are also shown below its records, and the links that lead there. */
  readonly children?: readonly (string | LinkedChild)[]
  /** Records to begin with, each with all of its fields. */
  readonly records?: readonly object[]
}

export interface LinkedChild {
  readonly identifier: string
  readonly via: string
}

export interface LinkDraft {
  /** What the files call it, and its two nouns. */
  readonly identifier: string
  readonly nouns: readonly [string, string]
  /** The options of `link`. */
  readonly options: object
}

export interface FieldDraft {
  readonly name: string
  readonly comment?: string
  /** As it is declared: `text({ maxLength: 120 })`. */
  readonly declaration: string
}

/** Mocks find records by numbers. */
export function isMockable({ nouns }: Pick<Project, 'nouns'>): boolean {
  return !nouns.some(({ fields }) => fields.some(({ declaration }) => declaration === "identity('guid')"))
}
