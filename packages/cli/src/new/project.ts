/** What a new project is made of, before it is written: plain data that the templates read. */

export interface Project {
  /** The service, in lower kebab-case. */
  readonly name: string
  /** What the files call its api. */
  readonly identifier: string
  /** The number in its paths; undefined for none. */
  readonly version?: number
  readonly nouns: readonly [NounDraft, ...NounDraft[]]
  /** An address of PostgreSQL; undefined for a file of SQLite. */
  readonly database?: string
  /** What did not fit, where it was read from something else. */
  readonly notes?: string
}

export interface NounDraft {
  readonly name: string
  /** What the files call it. */
  readonly identifier: string
  readonly fields: readonly FieldDraft[]
  /** The options of `noun`, such as `{ label: 'name' }`. */
  readonly options?: object
  /** The options of `resource`. */
  readonly resource?: object
  /** What the files call the nouns that are also shown below its records. */
  readonly children?: readonly string[]
  /** Records to begin with, each with all of its fields. */
  readonly records?: readonly object[]
}

export interface FieldDraft {
  readonly name: string
  /** As it is declared: `text({ maxLength: 120 })`. */
  readonly declaration: string
}

/** Mocks find records by numbers. */
export function isMockable({ nouns }: Pick<Project, 'nouns'>): boolean {
  return !nouns.some(({ fields }) => fields.some(({ declaration }) => declaration === "identity('guid')"))
}
