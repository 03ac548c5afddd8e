/**
 * Serves requests with an Upgrade header as if it were not there, as RFC 9110 (7.8) allows. Without this, Node
 * loses the requests that follow on the same connection.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { hasBody } from '../body.ts'

/** Undocumented: Node stores the current response of a connection in this property. */
type BusySocket = Socket & { readonly _httpMessage?: unknown }

/** Lets the server parse such a request again without the header, and then the bytes that follow it. */
export function ignoreUpgrades(
  server: Server & { shouldUpgradeCallback?: (request: IncomingMessage) => boolean },
): void {
  // Without this callback, older versions of Node emit `upgrade` for every such request.
  if (!server.shouldUpgradeCallback) return
  const reparsedSockets = new WeakSet<Socket>()
  const isIdle = ({ _httpMessage }: BusySocket) => !_httpMessage
  // Once for each connection, because each upgrade adds listeners to it.
  server.shouldUpgradeCallback = (request) =>
    !hasBody(request) && isIdle(request.socket) && !reparsedSockets.has(request.socket)
  server.on('upgrade', (request, _, head) => {
    const { socket } = request
    reparsedSockets.add(socket)
    socket.unshift(Buffer.concat([plainHead(request), head]))
    server.emit('connection', socket)
  })
}

/** Whether Node may have lost the bytes after a request: it has then kept both headers. */
export function isUpgrade({ headers: { upgrade, connection } }: IncomingMessage): boolean {
  return upgrade !== undefined && connection !== undefined && /\bupgrade\b/i.test(connection)
}

function plainHead({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    const isConnection = name.toLowerCase() === 'connection'
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${isConnection ? withoutUpgrade(value) : value}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

function withoutUpgrade(connection: string): string {
  const options = connection.split(',').map((option) => option.trim())
  return options.filter((option) => option.toLowerCase() !== 'upgrade').join(', ')
}
