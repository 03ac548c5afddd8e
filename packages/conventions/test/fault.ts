/** Ways in which the library can break the conventions, each with the checks that catch it and no others. */
import type { CheckCode } from '@nomen/conventions'
import { type Asked, type Behaviour, type Given, type Paging, type Row, upright } from './library.ts'
import type { Part } from './library-document.ts'

export interface Bent {
  readonly name: string
  readonly bent: Partial<Behaviour>
  readonly caughtBy: readonly CheckCode[]
}

type Body = { pageInfo?: Record<string, unknown>; results?: Row[] } & Record<string, unknown>

/** Bends answers with success to requests of one kind. */
function answers(
  isMeant: (asked: Asked) => boolean,
  bend: (body: Body, given: Given, asked: Asked) => unknown,
): Partial<Behaviour> {
  return {
    answer: (given, asked) => {
      if (given.status >= 300 || asked.parts[0] === 'openapi.json' || !isMeant(asked)) return given
      const body = structuredClone(given.body) as Body
      return { ...given, body: bend(body, given, asked) }
    },
  }
}

/** Bends the status of answers to requests of one kind. */
function statuses(isMeant: (asked: Asked, given: Given) => boolean, status: number): Partial<Behaviour> {
  return { answer: (given, asked) => (isMeant(asked, given) ? { ...given, status } : given) }
}

const isList = ({ method, parts }: Asked) => method === 'GET' && parts.length % 2 === 1 && !parts[1]?.startsWith('by-')
const isBookList = (asked: Asked) => isList(asked) && asked.parts.length === 1 && asked.parts[0] === 'book'
const isOne = ({ method, parts }: Asked) => method === 'GET' && parts.length % 2 === 0
const isBook = (asked: Asked) => isOne(asked) && asked.parts.length === 2 && asked.parts[0] === 'book'
const isMethod =
  (...methods: string[]) =>
  (asked: Asked) =>
    methods.includes(asked.method)
const isByIsbn = ({ parts }: Asked) => parts[1] === 'by-isbn'
const isBroken = ({ text, type, method }: Asked) =>
  method === 'PATCH' && type === 'application/json' && text.startsWith('{"broken')
const isPlainText = ({ type }: Asked) => type === 'text/plain'
const valueAt = ({ query }: Asked, name: string) => query.find(([one]) => one === name)?.[1]

const without = (names: readonly string[]) => (asked: Asked) => ({
  ...asked,
  query: asked.query.filter(([name]) => !names.includes(name)),
})

/** Keeps of each parameter only what is chosen among its values. */
const chosen = (choose: (values: string[]) => string[]) => (asked: Asked) => {
  const names = [...new Set(asked.query.map(([name]) => name))]
  const values = (name: string) => asked.query.filter(([one]) => one === name).map(([, value]) => value)
  return { ...asked, query: names.flatMap((name) => choose(values(name)).map((value) => [name, value] as const)) }
}

const document = (bend: (paths: Part, whole: Part) => void): Partial<Behaviour> => ({
  document: (whole) => {
    bend(whole.paths, whole)
    return whole
  },
})

const info = (bend: (given: Record<string, unknown>, page: Paging, total: number) => object): Partial<Behaviour> => ({
  info: (page, total) => ({ ...upright.info(page, total), ...bend(upright.info(page, total), page, total) }),
})

const inDocument: Bent[] = [
  {
    name: 'some paths have a version and others none',
    bent: document((paths) => {
      paths['/v1/tag-cloud/{id}'] = paths['/tag/{id}']
    }),
    caughtBy: ['version-prefix'],
  },
  {
    name: 'a version stands behind the noun',
    bent: document((paths) => {
      paths['/tag-cloud/v1/{id}'] = paths['/tag/{id}']
    }),
    caughtBy: ['version-prefix'],
  },
  {
    name: 'one noun is written below its parent, another at the root',
    bent: document((paths) => {
      paths['/author/{authorId}/book/{id}'] = { get: paths['/book/{id}'].get }
    }),
    caughtBy: ['write-form'],
  },
  {
    name: 'a GET has a body in the document',
    bent: document((paths) => {
      paths['/tag'].get.requestBody = { content: { 'application/json': { schema: {} } } }
    }),
    caughtBy: ['get-body'],
  },
  {
    name: 'the document lets PUT leave out a field',
    bent: document((_, { components }) => components.schemas['book-update'].required.pop()),
    caughtBy: ['update-shape'],
  },
  {
    name: 'the document lets PATCH require a field',
    bent: document((_, { components }) => {
      components.schemas['book-change'].required = ['title']
    }),
    caughtBy: ['update-shape'],
  },
  {
    name: 'a filter is spelled otherwise than its property',
    bent: document((paths) => {
      paths['/author'].get.parameters.find(({ name }: Part) => name === 'country').name = 'authorCountry'
    }),
    caughtBy: ['filter-name'],
  },
]

const inPages: Bent[] = [
  {
    name: 'a list has no pageInfo',
    bent: answers(isBookList, ({ results }) => ({ results })),
    caughtBy: ['document-agrees', 'envelope'],
  },
  {
    name: 'a list at the root is a plain array',
    bent: answers(isBookList, ({ results }) => results),
    caughtBy: ['document-agrees', 'envelope'],
  },
  {
    name: 'pageSize is a text',
    bent: info(({ pageSize }) => ({ pageSize: `${pageSize}` })),
    caughtBy: ['document-agrees', 'envelope'],
  },
  {
    name: 'numberOfPages is rounded down',
    bent: info((_, { size }, total) => ({ numberOfPages: Math.floor(total / size) })),
    caughtBy: ['page-arithmetic'],
  },
  {
    name: 'pageSize is always said to be the default',
    bent: info(() => ({ pageSize: 10 })),
    caughtBy: ['page-arithmetic', 'page-default', 'page-echo'],
  },
  {
    name: 'pageNumber counts from 0 in the answer',
    bent: info((_, { number }) => ({ pageNumber: number - 1 })),
    caughtBy: ['page-default', 'page-echo'],
  },
  {
    name: 'the last record of a page comes again on the next',
    bent: { slice: (rows, { number, size }) => rows.slice(Math.max(0, (number - 1) * size - 1), number * size) },
    caughtBy: [
      'filter-equal',
      'include-position',
      'page-arithmetic',
      'page-default',
      'page-order',
      'page-sorted',
      'page-walk',
    ],
  },
  {
    name: 'pages begin one record too early',
    bent: {
      slice: (rows, { number, size }) =>
        rows.slice(Math.max(0, (number - 1) * size - 1), Math.max(0, (number - 1) * size - 1) + size),
    },
    caughtBy: [
      'filter-equal',
      'include-position',
      'page-arithmetic',
      'page-default',
      'page-order',
      'page-sorted',
      'page-walk',
    ],
  },
  {
    name: 'the last record is never shown',
    bent: { slice: (rows, page) => upright.slice(rows.slice(0, -1), page) },
    caughtBy: ['filter-equal', 'page-arithmetic', 'page-default', 'page-sorted', 'page-walk'],
  },
  {
    name: 'numberOfRecords is that of the page',
    bent: answers(isList, (body) => {
      if (body.pageInfo) body.pageInfo.numberOfRecords = body.results?.length
      return body
    }),
    caughtBy: ['filter-equal', 'page-arithmetic', 'page-sorted', 'page-walk'],
  },
  {
    name: 'numberOfRecords is one too many',
    bent: { total: (matched) => matched.length + 1 },
    caughtBy: [
      'filter-any-of',
      'filter-equal',
      'filter-none',
      'page-arithmetic',
      'page-default',
      'page-sorted',
      'page-walk',
    ],
  },
  {
    name: 'numberOfRecords knows of no filters',
    bent: { total: (_, all) => all.length },
    caughtBy: ['filter-any-of', 'filter-equal', 'filter-none', 'include-counted'],
  },
  {
    name: 'the order depends on the size of the page',
    bent: { order: (rows, sort, page) => (page.size % 2 === 0 ? rows.toReversed() : upright.order(rows, sort, page)) },
    caughtBy: ['include-position', 'page-order'],
  },
  {
    name: 'sorted records with the same value change places from page to page',
    bent: {
      order: (rows, sort, page) => {
        const [key] = sort
        if (key === undefined) return upright.order(rows, sort, page)
        const name = key.replace(/^-/, '')
        const given = page.number % 2 === 0 ? rows.toReversed() : rows
        return given.toSorted((a, b) => (`${a[name]}` < `${b[name]}` ? -1 : `${a[name]}` > `${b[name]}` ? 1 : 0))
      },
    },
    caughtBy: ['page-sorted'],
  },
  {
    name: 'sort shows only records that have the value',
    bent: { order: (rows, sort, page) => upright.order(sort.length > 0 ? rows.slice(1) : rows, sort, page) },
    caughtBy: ['page-sorted'],
  },
  {
    name: 'without pageNumber the second page comes',
    bent: { pageNumber: (text) => (text === undefined ? 2 : upright.pageNumber(text)) },
    caughtBy: ['page-default'],
  },
  {
    name: 'without pageSize pageNumber is not looked at',
    bent: {
      ask: (asked) => (valueAt(asked, 'pageSize') === undefined ? without(['pageNumber'])(asked) : asked),
    },
    caughtBy: ['page-default'],
  },
  {
    name: 'past the end the last page comes again',
    bent: {
      slice: (rows, { number, size }) =>
        upright.slice(rows, { size, number: Math.max(1, Math.min(number, Math.ceil(rows.length / size))) }),
    },
    caughtBy: ['filter-equal', 'page-arithmetic', 'page-order', 'page-past-end', 'page-sorted', 'page-walk'],
  },
  {
    name: 'a page past the end is a failure of the service',
    bent: statuses((asked) => isBookList(asked) && Number(valueAt(asked, 'pageNumber')) > 9, 500),
    caughtBy: ['page-past-end'],
  },
]

const inFilters: Bent[] = [
  {
    name: 'filters are not looked at',
    bent: { matches: () => true },
    caughtBy: ['filter-all-of', 'filter-any-of', 'filter-equal', 'filter-none', 'include-counted'],
  },
  {
    name: 'one filter is not looked at',
    bent: { ask: (asked) => (isBookList(asked) ? without(['shelf'])(asked) : asked) },
    caughtBy: ['filter-all-of', 'filter-any-of', 'filter-equal'],
  },
  {
    name: 'a filter matches parts of values',
    bent: { matches: (value, given) => given.some((one) => `${value ?? ''}`.startsWith(one)) },
    caughtBy: ['filter-equal'],
  },
  {
    name: 'of repeated values the last counts',
    bent: { ask: chosen((values) => values.slice(-1)) },
    caughtBy: ['filter-any-of'],
  },
  {
    name: 'of repeated values the first counts',
    bent: { ask: chosen((values) => values.slice(0, 1)) },
    caughtBy: ['filter-any-of'],
  },
  {
    name: 'repeated values are taken as one text',
    bent: { ask: chosen((values) => [values.join(',')]) },
    caughtBy: ['filter-any-of'],
  },
  {
    name: 'repeated values must all match',
    bent: { matches: (value, given) => given.every((one) => `${value ?? ''}` === one) },
    caughtBy: ['filter-any-of'],
  },
  {
    name: 'one of several filters is enough',
    bent: { combine: (found) => found.some(Boolean) },
    caughtBy: ['filter-all-of'],
  },
  {
    name: 'only the first of several filters counts',
    bent: { combine: ([first = true]) => first },
    caughtBy: ['filter-all-of'],
  },
  {
    name: 'nothing found is an error',
    bent: {
      answer: (given, asked) => {
        const { results } = (given.body ?? {}) as Body
        return isList(asked) && results?.length === 0 && asked.query.length > 1 && !valueAt(asked, 'pageNumber')
          ? { ...given, status: 404 }
          : given
      },
    },
    caughtBy: ['filter-all-of', 'filter-none'],
  },
  {
    name: 'include is not looked at',
    bent: { include: () => false },
    caughtBy: ['include-counted', 'include-position', 'include-present'],
  },
  {
    name: 'an included record is put on the page that is asked for',
    bent: {
      order: (rows, sort, page) => upright.order(rows, sort, page),
      answer: (given, asked, store) => {
        const included = valueAt(asked, 'include')
        const { results } = (given.body ?? {}) as Body
        if (given.status !== 200 || !isBookList(asked) || !included || !results) return given
        const row = (store.book ?? []).find(({ id }) => `${id}` === included) as Row
        const [first] = results.filter(({ id }) => id !== row.id)
        const own = { id: row.id ?? null, title: row.title ?? null, shelf: row.shelf ?? null }
        return {
          ...given,
          body: {
            ...(given.body as Body),
            results: first ? [own, ...results.filter(({ id }) => id !== row.id).slice(1)] : [own],
          },
        }
      },
    },
    caughtBy: ['include-position'],
  },
  {
    name: 'an included record is not counted',
    bent: {
      answer: (given, asked) => {
        const body = structuredClone(given.body) as Body
        if (!isList(asked) || !valueAt(asked, 'include') || !body.pageInfo || asked.query.length < 3) return given
        body.pageInfo.numberOfRecords = Number(body.pageInfo.numberOfRecords) - 1
        return { ...given, body }
      },
    },
    caughtBy: ['include-counted'],
  },
]

const inRecords: Bent[] = [
  {
    name: 'a record is answered for another',
    bent: answers(isBook, (body, _, { parts }) => (parts[1] === '900' ? body : { ...body, id: 1 })),
    caughtBy: ['list-agrees', 'lookup', 'read', 'update-full-record'],
  },
  {
    name: 'a missing record is an empty answer',
    bent: statuses((asked, { status }) => isBook(asked) && status === 404, 200),
    caughtBy: ['bad-identity', 'delete-gone', 'document-agrees', 'read-missing'],
  },
  {
    name: 'a missing record is a failure of the service',
    bent: statuses((asked, { status }) => isBook(asked) && status === 404, 500),
    caughtBy: ['bad-identity', 'delete-gone', 'read-missing'],
  },
  {
    name: 'the list has a property that the record lacks',
    bent: answers(isBook, ({ shelf: _, ...body }) => body),
    caughtBy: ['document-agrees', 'list-in-detail', 'lookup', 'put-complete', 'update-full-record'],
  },
  {
    name: 'the list shows old values',
    bent: answers(isBookList, (body) => ({
      ...body,
      results: body.results?.map((row) => ({ ...row, title: `${row.title}!` })),
    })),
    caughtBy: ['filter-equal', 'list-agrees', 'variant-agrees'],
  },
  {
    name: 'a summary shows more than the list',
    bent: answers(
      ({ parts }) => parts[0] === 'book-summary',
      (body) => ({ ...body, results: body.results?.map((row) => ({ ...row, isbn: 'x' })) }),
    ),
    caughtBy: ['document-agrees', 'variant-shape'],
  },
  {
    name: 'a detail list lacks a property of the list',
    bent: answers(
      ({ parts }) => parts[0] === 'book-detail',
      (body) => ({ ...body, results: body.results?.map(({ shelf: _, ...row }) => row) }),
    ),
    caughtBy: ['document-agrees', 'variant-shape'],
  },
  {
    name: 'a detail list has other values',
    bent: answers(
      ({ parts }) => parts[0] === 'book-detail',
      (body) => ({ ...body, results: body.results?.map((row) => ({ ...row, title: 'x' })) }),
    ),
    caughtBy: ['variant-agrees'],
  },
  {
    name: 'a lookup gives a smaller record',
    bent: answers(isByIsbn, ({ note: _, ...body }) => body),
    caughtBy: ['document-agrees', 'lookup'],
  },
  {
    name: 'a lookup without a match is an empty answer',
    bent: statuses((asked, { status }) => isByIsbn(asked) && status === 404, 200),
    caughtBy: ['document-agrees', 'lookup-missing'],
  },
  {
    name: 'a lookup without a match is a bad request',
    bent: statuses((asked, { status }) => isByIsbn(asked) && status === 404, 400),
    caughtBy: ['lookup-missing'],
  },
  {
    name: 'a sub-resource has the records of all parents',
    bent: { belongs: () => true },
    caughtBy: ['nested-belongs'],
  },
  {
    name: 'a child is found below any parent',
    bent: {
      answer: (given, asked, store) => {
        const [, , name, id] = asked.parts
        const row =
          name === 'award' && asked.method === 'GET' ? store.award?.find((one) => `${one.id}` === id) : undefined
        return row && given.status === 404 ? { ...given, status: 200, body: row } : given
      },
    },
    caughtBy: ['nested-elsewhere'],
  },
  {
    name: 'below a missing parent the service fails',
    bent: statuses(
      ({ method, parts }, { status }) =>
        method === 'GET' && parts.length === 3 && parts[2] === 'review' && status === 404,
      500,
    ),
    caughtBy: ['nested-missing-parent'],
  },
]

const inRefusals: Bent[] = [
  {
    name: 'an unknown parameter is a failure of the service',
    bent: statuses(
      (asked, { status }) => isBookList(asked) && asked.target.includes('nomenCheck') && status === 400,
      500,
    ),
    caughtBy: ['unknown-parameter'],
  },
  {
    name: 'a page number that is none is a failure of the service',
    bent: statuses(
      (asked, { status }) => isBookList(asked) && valueAt(asked, 'pageNumber') === 'abc' && status === 400,
      500,
    ),
    caughtBy: ['bad-page'],
  },
  {
    name: 'page 0 is answered as page 0',
    bent: { pageNumber: (text) => (text === '0' ? 0 : upright.pageNumber(text)) },
    caughtBy: ['bad-page'],
  },
  {
    name: 'an identity that is no integer is a failure of the service',
    bent: statuses(({ parts }) => parts.length === 2 && parts[1] === 'nomen-check', 500),
    caughtBy: ['bad-identity'],
  },
  { name: 'any method is taken', bent: statuses(isMethod('PROPFIND'), 200), caughtBy: ['unknown-method'] },
  {
    name: 'a refused method comes without Allow',
    bent: { answer: (given) => (given.status === 405 ? { ...given, headers: {} } : given) },
    caughtBy: ['unknown-method'],
  },
  {
    name: 'any path is answered',
    bent: statuses(({ parts }, { status }) => parts.length === 1 && status === 404, 200),
    caughtBy: ['unknown-path'],
  },
]

const inWrites: Bent[] = [
  { name: 'POST answers 200', bent: statuses(isMethod('POST'), 200), caughtBy: ['create'] },
  { name: 'POST fails', bent: statuses(isMethod('POST'), 500), caughtBy: ['create'] },
  {
    name: 'POST says nothing of what it has made',
    bent: {
      answer: (given, { method, parts }) =>
        method === 'POST' && parts[0] === 'author' && parts.length === 1
          ? { status: 201, headers: {}, body: {} }
          : given,
    },
    caughtBy: ['cleanup', 'document-agrees'],
  },
  {
    name: 'POST has no Location',
    bent: { answer: (given, { method }) => (method === 'POST' ? { ...given, headers: {} } : given) },
    caughtBy: ['create-location'],
  },
  {
    name: 'Location leads to the list',
    bent: {
      answer: (given, { method, parts }) =>
        method === 'POST' && given.status === 201 ? { ...given, headers: { location: `/${parts.join('/')}` } } : given,
    },
    caughtBy: ['create-location'],
  },
  {
    name: 'a new record loses a value',
    bent: {
      answer: (given, { method, parts }, store) => {
        const row = store.book?.at(-1)
        if (method === 'POST' && parts[0] === 'book' && parts.length === 1 && row) row.title = ''
        return given
      },
    },
    caughtBy: ['create-kept'],
  },
  {
    name: 'PATCH asks for every field',
    bent: { missing: (body, mutable) => mutable.some((name) => !(name in body)) },
    caughtBy: ['patch-subset'],
  },
  {
    name: 'PATCH empties what is not sent',
    bent: {
      change: (row, body, mutable, verb) => {
        const changed = upright.change(row, body, mutable, verb)
        const lost =
          verb === 'PATCH'
            ? mutable.filter((name) => !(name in body) && typeof row[name] === 'string' && name !== 'shelf')
            : []
        return { ...changed, ...Object.fromEntries(lost.map((name) => [name, ''])) }
      },
    },
    caughtBy: ['patch-subset'],
  },
  {
    name: 'PATCH changes nothing',
    bent: { change: (row, body, mutable, verb) => (verb === 'PATCH' ? row : upright.change(row, body, mutable, verb)) },
    caughtBy: ['patch-subset'],
  },
  {
    name: 'PUT changes nothing',
    bent: { change: (row, body, mutable, verb) => (verb === 'PUT' ? row : upright.change(row, body, mutable, verb)) },
    caughtBy: ['put-complete'],
  },
  {
    name: 'PUT answers 204',
    bent: {
      answer: (given, { method, parts }) =>
        method === 'PUT' && parts[2] !== 'tag' && given.status === 200
          ? { ...given, status: 204, body: undefined }
          : given,
    },
    caughtBy: ['put-complete', 'update-full-record'],
  },
  { name: 'PUT takes some of the fields', bent: { missing: () => false }, caughtBy: ['put-demands-all'] },
  {
    name: 'PATCH answers what was sent',
    bent: {
      answer: (given, { method, text }) =>
        method === 'PATCH' && given.status === 200 ? { ...given, body: JSON.parse(text) } : given,
    },
    caughtBy: ['document-agrees', 'update-full-record'],
  },
  {
    name: 'PUT answers the record as it was',
    bent: (() => {
      let before: unknown
      const answer: Behaviour['answer'] = (given, asked) => {
        if (isBook(asked)) before = given.body
        return asked.method === 'PUT' && asked.parts[0] === 'book' && asked.parts.length === 2 && given.status === 200
          ? { ...given, body: before }
          : given
      }
      return { answer }
    })(),
    caughtBy: ['update-full-record'],
  },
  {
    name: 'the moment of creation can be changed',
    bent: {
      change: (row, body, mutable, verb) => ({
        ...upright.change(row, body, mutable, verb),
        ...(body.created && { created: body.created }),
      }),
    },
    caughtBy: ['static-stays'],
  },
  {
    name: 'the identity can be changed',
    bent: {
      change: (row, body, mutable, verb) => ({
        ...upright.change(row, body, mutable, verb),
        ...(body.id && { id: body.id }),
      }),
    },
    caughtBy: ['delete', 'static-stays'],
  },
  {
    name: 'a body that is no JSON is a failure of the service',
    bent: statuses(isBroken, 500),
    caughtBy: ['malformed-json'],
  },
  { name: 'a body that is no JSON is taken', bent: statuses(isBroken, 200), caughtBy: ['malformed-json'] },
  { name: 'plain text is a failure of the service', bent: statuses(isPlainText, 500), caughtBy: ['wrong-media-type'] },
  { name: 'plain text is taken', bent: statuses(isPlainText, 200), caughtBy: ['wrong-media-type'] },
  {
    name: 'PATCH of a missing record is taken',
    bent: statuses(({ method, parts }, { status }) => method === 'PATCH' && parts.length === 2 && status === 404, 200),
    caughtBy: ['write-missing'],
  },
  {
    name: 'DELETE answers 204',
    bent: {
      answer: (given, { method, parts }) =>
        method === 'DELETE' && parts.length === 2 && given.status === 200
          ? { ...given, status: 204, body: undefined }
          : given,
    },
    caughtBy: ['delete'],
  },
  {
    name: 'DELETE deletes nothing',
    bent: {
      answer: (given, { method, parts }, store) => {
        if (method === 'DELETE' && parts[0] === 'author' && parts.length === 2 && given.status === 200)
          store.author?.push(given.body as Row)
        return given
      },
    },
    caughtBy: ['delete-gone', 'delete-same-everywhere'],
  },
  {
    name: 'DELETE is refused, though the document offers it',
    bent: {
      ask: (asked) => (asked.method === 'DELETE' && asked.parts[0] === 'author' ? { ...asked, method: 'LOCK' } : asked),
    },
    caughtBy: ['cleanup', 'delete'],
  },
  {
    name: 'a second DELETE is a failure of the service',
    bent: statuses(({ method, parts }, { status }) => method === 'DELETE' && parts.length === 2 && status === 404, 500),
    caughtBy: ['delete-twice'],
  },
  {
    name: 'a second DELETE is answered differently by one noun',
    bent: statuses(
      ({ method, parts }, { status }) =>
        method === 'DELETE' && parts[0] === 'author' && parts.length === 2 && status === 404,
      200,
    ),
    caughtBy: ['delete-same-everywhere'],
  },
  {
    name: 'a link is not kept',
    bent: {
      answer: (given, { method, parts }, store) => {
        if (method === 'PUT' && parts[2] === 'tag') store.link.splice(80)
        return given
      },
    },
    caughtBy: ['link', 'unlink'],
  },
  {
    name: 'a link cannot be made twice',
    bent: (() => {
      const made = new Set<string>()
      const answer: Behaviour['answer'] = (given, { method, parts, target }) => {
        if (method !== 'PUT' || parts[2] !== 'tag' || given.status !== 200) return given
        if (made.has(target)) return { ...given, status: 409 }
        made.add(target)
        return given
      }
      return { answer }
    })(),
    caughtBy: ['link'],
  },
  {
    name: 'a link cannot be removed',
    bent: {
      ask: (asked) => (asked.method === 'DELETE' && asked.parts[2] === 'tag' ? { ...asked, method: 'GET' } : asked),
    },
    caughtBy: ['unlink'],
  },
]

const inAnswers: Bent[] = [
  {
    name: 'an identity is a text',
    bent: answers(isBook, (body) => ({ ...body, id: `${body.id}` })),
    caughtBy: ['document-agrees', 'filter-equal', 'list-agrees', 'lookup', 'read', 'update-full-record'],
  },
  {
    name: 'a record has a property that the document lacks',
    bent: answers(isBook, (body) => ({ ...body, extra: 1 })),
    caughtBy: ['document-agrees', 'lookup', 'update-full-record'],
  },
  {
    name: 'answers say that they are text',
    bent: { answer: (given) => ({ ...given, headers: { ...given.headers, 'content-type': 'text/html' } }) },
    caughtBy: ['json-media-type'],
  },
  {
    name: 'the request id is in the body',
    bent: answers(isBookList, (body) => ({ ...body, requestId: 'x' })),
    caughtBy: ['metadata-in-header'],
  },
  {
    name: 'a reference is an object of an id and a name',
    bent: {
      ...answers(isBook, (body) => ({ ...body, author: { id: body.author, name: 'x' } })),
      ...document((_, { components }) => {
        components.schemas.book.properties.author = { type: 'object' }
      }),
    },
    caughtBy: ['create-kept', 'document-agrees', 'flat-record', 'lookup', 'put-complete', 'update-full-record'],
  },
]

export const faults: readonly Bent[] = [
  ...inDocument,
  ...inPages,
  ...inFilters,
  ...inRecords,
  ...inRefusals,
  ...inWrites,
  ...inAnswers,
]

/** What the conventions leave open, done in another way than Nomen does it: no failure unless someone is strict. */
export const openPoints: readonly Bent[] = [
  { name: 'a page has 20 records by default', bent: { defaultSize: 20 }, caughtBy: ['page-size'] },
  {
    name: 'past the end there is no page',
    bent: {
      answer: (given, asked) => {
        const { pageInfo, results } = (given.body ?? {}) as Body
        const isPast = isList(asked) && results?.length === 0 && Number(pageInfo?.pageNumber) > 3
        return isPast ? { ...given, status: 404, body: {} } : given
      },
    },
    caughtBy: ['page-past-end'],
  },
  {
    name: 'unknown parameters are not looked at',
    bent: {
      ask: (asked) => ({ ...asked, query: asked.query.filter(([name]) => !name.startsWith('nomenCheck')) }),
    },
    caughtBy: ['unknown-parameter'],
  },
  {
    name: 'a page that is none is the first one',
    bent: {
      ask: (asked) => ({
        ...asked,
        query: asked.query.filter(([name, value]) => !name.startsWith('page') || /^[1-9]\d*$/.test(value)),
      }),
    },
    caughtBy: ['bad-page'],
  },
  {
    name: 'an identity of the wrong kind is a bad request',
    bent: statuses(({ parts }) => parts.at(-1) === 'nomen-check', 400),
    caughtBy: ['bad-identity'],
  },
  {
    name: 'below a parent that does not exist there is an empty list',
    bent: {
      answer: (given, { method, parts }) =>
        method === 'GET' && parts.length === 3 && parts[2] === 'review' && given.status === 404
          ? { ...given, status: 200, body: [] }
          : given,
    },
    caughtBy: ['nested-missing-parent'],
  },
  {
    name: 'a method that is not taken is not found',
    bent: statuses(isMethod('PROPFIND'), 404),
    caughtBy: ['unknown-method'],
  },
  {
    name: 'a body that is no JSON cannot be processed',
    bent: statuses(isBroken, 422),
    caughtBy: ['malformed-json'],
  },
  { name: 'plain text is a bad request', bent: statuses(isPlainText, 400), caughtBy: ['wrong-media-type'] },
  {
    name: 'a second DELETE is a success',
    bent: statuses(({ method }, { status }) => method === 'DELETE' && status === 404, 200),
    caughtBy: ['delete-twice'],
  },
]
