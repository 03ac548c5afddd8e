/** The database and the HTTP server of the hand-written services. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

/** Opens the file from the command line with the settings of the service; optionally checks references. */
export function openDatabase({ isChecked }: { readonly isChecked: boolean }): DatabaseSync {
  const database = new DatabaseSync(process.argv[2] as string, {
    enableForeignKeyConstraints: isChecked,
  })
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16384; pragma mmap_size = 268435456',
  )
  return database
}

/** Listens on the port from the command line, on loopback only, until SIGTERM. */
export function serve(listener: RequestListener): void {
  const server = createServer({ keepAliveTimeout: 72_000 }, listener)
  server.listen(Number(process.argv[3]), '127.0.0.1')
  process.on('SIGTERM', () => process.exit(0))
}

export function sendResponse(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

export function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => resolve(Buffer.concat(chunks).toString()))
    request.on('error', reject)
  })
}
