/** Ends connections, also those on which nobody answers any more. */
import type pg from 'pg'

/** How long the other side is waited for, in milliseconds. */
const timeoutMs = 5000

/** Ends a connection once all that is under way on it is answered; without that where it takes too long. */
export async function endClient(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => breakOff(client), timeoutMs)
  await client.end()
  clearTimeout(timer)
}

/** Ends a connection and does not wait for it. */
export function dropClient(client: pg.Client): void {
  endClient(client).catch(() => {})
}

/** Ends a connection at once. What is under way on it fails. */
export function breakOff(client: pg.Client, fault?: Error): void {
  // Typed as part of the driver's inside, which has no other way to this.
  const { stream } = client.connection as unknown as { readonly stream: { destroy(error?: Error): void } }
  stream.destroy(fault)
}
