/** A foreign service in memory, written without Nomen: it follows the conventions and has another origin. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LineReader, usageReport } from '@nomen/core/usage'
import { libraryDocument } from './library-document.ts'

type Row = { [name: string]: unknown }

export interface Library {
  /** The origin of the service. */
  readonly url: string
  readonly books: Row[]
  close(): void
}

interface LibraryOptions {
  /** Whether a token is valid (default: no token needed). */
  readonly isTokenValid?: (token: string | undefined) => Promise<boolean> | boolean
  /** Added to the document. */
  readonly security?: object
  /** Lines of the access log. With them, the service has a usage report. */
  readonly log?: readonly string[]
}

/** The CORS headers for pages of other origins. */
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*, authorization',
  'access-control-allow-methods': '*',
  'access-control-expose-headers': '*',
}

export async function startLibrary({
  isTokenValid = () => true,
  security,
  log,
}: LibraryOptions = {}): Promise<Library> {
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
  const links = new Set<string>(['1/1'])
  const document = security
    ? { ...libraryDocument, components: { ...libraryDocument.components, ...security } }
    : libraryDocument

  const respond = async (request: IncomingMessage): Promise<readonly [number, unknown]> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/openapi.json') return [200, document]
    const token = request.headers.authorization?.replace(/^Bearer /, '')
    if (!(await isTokenValid(token))) return [401, { message: 'Who are you?' }]
    const [, , , noun, id, child, childId] = pathname.split('/')
    if (noun === 'usage') return log ? [200, reportUsage(log)] : [404, { message: 'Nothing here' }]
    const body = (request.method === 'GET' ? {} : await bodyOf(request)) as Row
    if (noun === 'report') return [200, { lines: ['23 books', '2 tags'] }]
    if (noun === 'tag') return [200, pageOf(tags, searchParams)]
    if (id === undefined) {
      if (request.method === 'POST') return createBook(books, body)
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
      if (request.method === 'PUT') links.add(`${id}/${childId}`)
      if (request.method === 'DELETE') links.delete(`${id}/${childId}`)
      return [200, childId === undefined ? tags.filter(({ tagId }) => links.has(`${id}/${tagId}`)) : {}]
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
    const [status, body] = request.method === 'OPTIONS' ? [204, undefined] : await respond(request)
    response
      .writeHead(status, { ...corsHeaders, 'content-type': 'application/json' })
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

function createBook(books: Row[], body: Row): readonly [number, unknown] {
  const book = {
    subtitle: null,
    pages: null,
    published: null,
    blurb: '',
    lent: false,
    ...body,
    bookId: books.length + 1,
    added: '2026-11-15T00:00:00.000Z',
  }
  books.push(book)
  return [201, book]
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

/** A usage report from the access log and the endpoints of the document, as any service could create it. */
function reportUsage(log: readonly string[]): unknown {
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
