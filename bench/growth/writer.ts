/** Somebody who adds users and removes them again through the service, all the time that others read. */
import { setTimeout as pause } from 'node:timers/promises'

export interface Writer {
  /** Removes what is left and stops. */
  stop(): Promise<void>
}

/** Milliseconds between two writes. */
const rest = 20

/** So many users are there at a time beside those of the database. */
const present = 10

export function startWriter(url: string): Writer {
  let isOn = true
  const added: number[] = []
  const name = `${process.pid}.${Date.now()}`
  let number = 0
  const write = async () => {
    while (isOn) {
      const email = `writer.${name}.${++number}@example.com`
      const { id } = await ask(url, 'POST', '/user', { firstName: 'Ada', lastName: 'Writer', email, department: 1 })
      added.push(id)
      await pause(rest)
      if (added.length > present) await ask(url, 'DELETE', `/user/${added.shift()}`)
      await pause(rest)
    }
    for (const id of added) await ask(url, 'DELETE', `/user/${id}`)
  }
  const written = write()
  // Told when it is stopped; until then nobody waits for it.
  written.catch(() => {})
  return {
    async stop() {
      isOn = false
      await written
    },
  }
}

async function ask(url: string, method: string, path: string, body?: object): Promise<{ readonly id: number }> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`The writer's ${method} ${path} is answered with ${response.status}: ${text}`)
  return JSON.parse(text)
}
