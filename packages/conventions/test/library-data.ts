/** The nouns of the library and their sample records. */
export type Value = string | number | boolean | null
export type Row = Record<string, Value>

export interface Noun {
  readonly list: readonly string[]
  readonly complete: readonly string[]
  readonly mutable: readonly string[]
  readonly parent?: readonly [noun: string, property: string]
  readonly isPlain?: boolean
  readonly isFixed?: boolean
}

const book = ['id', 'title', 'isbn', 'shelf', 'author', 'numberOfLeaves', 'note', 'created', 'lastUpdated']
export const nouns: Readonly<Record<string, Noun>> = {
  book: { list: ['id', 'title', 'shelf'], complete: book, mutable: book.slice(1, 7) },
  author: { list: ['id', 'name', 'country'], complete: ['id', 'name', 'country'], mutable: ['name', 'country'] },
  tag: { list: ['id', 'label'], complete: ['id', 'label'], mutable: [], isFixed: true },
  award: {
    list: ['id', 'author', 'label'],
    complete: ['id', 'author', 'label', 'year'],
    mutable: ['label', 'year'],
    parent: ['author', 'author'],
  },
  review: {
    list: ['id', 'stars', 'comment'],
    complete: ['id', 'stars', 'comment'],
    mutable: ['stars', 'comment'],
    parent: ['book', 'book'],
    isPlain: true,
  },
}

export type Store = Record<string, Row[]> & { link: Row[] }

export function sampleStore(): Store {
  const rows = (count: number, row: (at: number) => Row) =>
    Array.from({ length: count }, (_, at) => ({ id: at + 1, ...row(at + 1) }))
  return {
    author: rows(14, (at) => ({ name: `Author ${at}`, country: ['FR', 'JP', 'PE'][at % 3] as string })),
    book: rows(47, (at) => ({
      title: `Title ${at % 19}`,
      isbn: `978-${at}`,
      shelf: at % 3 === 0 ? 'CLOSED' : 'OPEN',
      author: (at % 14) + 1,
      numberOfLeaves: 100 + (at % 7),
      note: at % 4 === 0 ? null : `Note ${at % 5}`,
      created: '2026-01-01T00:00:00.000Z',
      lastUpdated: '2026-01-01T00:00:00.000Z',
    })),
    tag: rows(9, (at) => ({ label: `tag ${at}` })),
    award: rows(60, (at) => ({ author: (at % 5) + 1, label: `Award ${at % 8}`, year: 1990 + (at % 9) })),
    review: rows(120, (at) => ({ book: (at % 47) + 1, stars: (at % 5) + 1, comment: `Comment ${at % 11}` })),
    link: rows(80, (at) => ({ book: (at % 47) + 1, tag: (at % 9) + 1 })),
  }
}
