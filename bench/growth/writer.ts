/** A client that adds and removes users through the service during a measurement. */
import { setTimeout as pause } from 'node:timers/promises'

export interface Writer {
  /** Removes its remaining users and stops. */
  stop(): Promise<void>
}

/** Milliseconds between two writes. */
const pauseMs = 20

/** The number of additional users at a time. */
const maxAdded = 10

export function startWriter(url: string): Writer {
  let isRunning = true
  const addedIds: number[] = []
  const name = `${process.pid}.${Date.now()}`
  let number = 0
  const write = async () => {
    while (isRunning) {
      const email = `writer.${name}.${++number}@example.com`
      const { id } = await send(url, 'POST', '/user', { firstName: 'Ada', lastName: 'Writer', email, department: 1 })
      addedIds.push(id)
      await pause(pauseMs)
      if (addedIds.length > maxAdded) await send(url, 'DELETE', `/user/${addedIds.shift()}`)
      await pause(pauseMs)
    }
    for (const id of addedIds) await send(url, 'DELETE', `/user/${id}`)
  }
  const writing = write()
  // `stop` reports an error; until then the promise has no listener.
  writing.catch(() => {})
  return {
    async stop() {
      isRunning = false
      await writing
    },
  }
}

async function send(url: string, method: string, path: string, body?: object): Promise<{ readonly id: number }> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`The writer's ${method} ${path} failed with ${response.status}: ${text}`)
  return JSON.parse(text)
}
