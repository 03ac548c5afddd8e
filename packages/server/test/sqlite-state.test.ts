// The state that a request sees on SQLite while another process writes to the same file.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { identity, noun, resource, text } from '@nomen/core'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryDatabase, temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })

function connected(address: string): Socket {
  const { port, hostname } = new URL(address)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Sends it at once, in whichever phase of the event loop that is. */
async function statusOf(socket: Socket, path: string): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nhost: test\r\n\r\n`)
  const [response] = (await once(socket, 'data')) as [string]
  return response.slice(9, 12)
}

it('is never older than the request, whatever other requests saw in the same turn of the event loop', async () => {
  const path = temporaryPath()
  const { app, get } = await openService(serviceOf([plainApi(resource(note, {}))]), { database: `sqlite:${path}` })
  const socket = connected(await app.listen({ port: 0 }))
  const another = temporaryDatabase(path)
  await get('/note')
  expect(await statusOf(socket, '/note/1')).toBe('404')
  for (let id = 1; id <= 50; id++) {
    await nextTurn()
    // Read between two looks at the connections, and held for those who are to see the same.
    await Promise.all([get('/note'), get('/note')])
    another.exec(`insert into note (title) values ('${id}')`)
    expect(await statusOf(socket, `/note/${id}`)).toBe('200')
  }
})
