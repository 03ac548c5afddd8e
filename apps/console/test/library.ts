/** A foreign service by hand and in memory: it follows the conventions, knows nothing of us, and stands on another origin. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LineReader, usageReport } from '@nomen/core/usage'
import { libraryDocument } from './library-document.ts'

type Row = { [name: string]: unknown }

export interface Library {
  /** Its origin. */
  readonly url: string
  readonly books: Row[]
  close(): void
}

interface LibraryOptions {
  /** Whether a token is good; all may ask unless given. */
  readonly isLetIn?: (token: string | undefined) => Promise<boolean> | boolean
  /** Added to the document. */
  readonly security?: object
  /** Lines of its access log; it tells its usage where there are some. */
  readonly log?: readonly string[]
}

/** What a page of another origin may ask, and see of the answers. */
const open = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*, authorization',
  'access-control-allow-methods': '*',
  'access-control-expose-headers': '*',
}

export async function startLibrary({ isLetIn = () => true, security, log }: LibraryOptions = {}): Promise<Library> {
  const tags: Row[] = [
    { tagId: 1, label: 'old' },
    { tagId: 2, label: 'signed' },
  ]
  const books: Row[] = Array.from({ length: 23 }, (_, index) => ({
    bookId: index + 1,
    title: `Book ${index + 1}`,
    genre: ['NOVEL', 'ESSAY', 'POETRY'][index % 3],
    pages: index % 2 === 0 ? 100 + index : null,
    published: '1999-05-01',
    lent: false,
    blurb: '',
    subtitle: null,
    added: '2026-01-01T00:00:00.000Z',
  }))
  const linked = new Set<string>(['1/1'])
  const document = security
    ? { ...libraryDocument, components: { ...libraryDocument.components, ...security } }
    : libraryDocument

  const answer = async (request: IncomingMessage): Promise<readonly [number, unknown]> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/openapi.json') return [200, document]
    const token = request.headers.authorization?.replace(/^Bearer /, '')
    if (!(await isLetIn(token))) return [401, { message: 'Who are you?' }]
    const [, , , noun, id, child, childId] = pathname.split('/')
    if (noun === 'usage') return log ? [200, usageOf(log)] : [404, { message: 'Nothing here' }]
    const body = (request.method === 'GET' ? {} : await bodyOf(request)) as Row
    if (noun === 'report') return [200, { lines: ['23 books', '2 tags'] }]
    if (noun === 'tag') return [200, pageOf(tags, searchParams)]
    if (id === undefined) {
      if (request.method === 'POST') return created(books, body)
      const genres = searchParams.getAll('genre')
      return [
        200,
        pageOf(
          books.filter(({ genre }) => genres.length === 0 || genres.includes(`${genre}`)),
          searchParams,
        ),
      ]
    }
    const book = books.find(({ bookId }) => `${bookId}` === id)
    if (!book) return [404, { message: `There is no book ${id}.` }]
    if (child === 'tag') {
      if (request.method === 'PUT') linked.add(`${id}/${childId}`)
      if (request.method === 'DELETE') linked.delete(`${id}/${childId}`)
      return [200, childId === undefined ? tags.filter(({ tagId }) => linked.has(`${id}/${tagId}`)) : {}]
    }
    if (child === 'loan') {
      if (!body.reader) return [400, { title: 'Bad', errors: [{ pointer: '/reader', detail: 'Who reads it?' }] }]
      book.lent = true
      return [200, { due: '2026-12-13', reader: { name: body.reader, weeks: body.weeks ?? 4 } }]
    }
    if (child === 'review') return [200, [{ id: 1, stars: 5, line: 'Read it twice' }]]
    if (request.method === 'DELETE') books.splice(books.indexOf(book), 1)
    if (request.method === 'PUT' || request.method === 'PATCH') {
      if (body.title === '')
        return [400, { title: 'Bad', errors: [{ pointer: '/title', detail: 'A book has a title.' }] }]
      Object.assign(book, body)
    }
    return [200, book]
  }

  const server = createServer(async (request, response) => {
    const [status, body] = request.method === 'OPTIONS' ? [204, undefined] : await answer(request)
    response
      .writeHead(status, { ...open, 'content-type': 'application/json' })
      .end(body === undefined ? '' : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, books, close }
}

function created(books: Row[], body: Row): readonly [number, unknown] {
  const made = {
    subtitle: null,
    pages: null,
    published: null,
    blurb: '',
    lent: false,
    ...body,
    bookId: books.length + 1,
    added: '2026-11-15T00:00:00.000Z',
  }
  books.push(made)
  return [201, made]
}

function pageOf(rows: readonly Row[], query: URLSearchParams) {
  const pageNumber = Number(query.get('pageNumber') ?? 1)
  const pageSize = Number(query.get('pageSize') ?? 10)
  const results = rows.slice((pageNumber - 1) * pageSize, pageNumber * pageSize)
  return {
    pageInfo: { pageSize, pageNumber, numberOfPages: Math.ceil(rows.length / pageSize), numberOfRecords: rows.length },
    results,
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = `${Buffer.concat(chunks)}`
  return text === '' ? {} : JSON.parse(text)
}

/** As any service could: counted from its log by the endpoints of its document. */
function usageOf(log: readonly string[]): unknown {
  const endpoints = Object.entries(libraryDocument.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => method !== 'parameters')
      .map((method) => ({ id: `${method} ${path}`, method: method.toUpperCase(), path })),
  )
  const reader = new LineReader(endpoints)
  reader.read(new TextEncoder().encode(`${log.join('\n')}\n`))
  reader.end()
  return usageReport(endpoints, reader, 30)
}
