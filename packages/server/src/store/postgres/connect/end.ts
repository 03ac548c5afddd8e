/** Ends connections, even if the server no longer responds. */
import type pg from 'pg'

/** How long to wait for the server. */
const timeoutMs = 5000

/** Ends a connection when all pending statements have a response, or after a timeout. */
export async function endClient(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => destroyClient(client), timeoutMs)
  await client.end()
  clearTimeout(timer)
}

/** Ends a connection without waiting for it. */
export function dropClient(client: pg.Client): void {
  endClient(client).catch(() => {})
}

/** Closes the socket at once. Pending statements fail. */
export function destroyClient(client: pg.Client, fault?: Error): void {
  // The driver has no public access to its socket.
  const { stream } = client.connection as unknown as { readonly stream: { destroy(error?: Error): void } }
  stream.destroy(fault)
}
