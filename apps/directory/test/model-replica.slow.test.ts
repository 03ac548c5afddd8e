/** Random sequences of requests, read from a replica where it has what the caller wrote: no answer shows that it lags. */
import { open } from '@nomen/server'
import { type PostgresServer, startPostgres, startStandby, untilAnswered } from '@nomen/testing/postgres'
import { afterAll, beforeAll } from 'vitest'
import { directoryService } from '../src/index.ts'
import { modelSuite } from './model/suite.ts'

const servers: PostgresServer[] = []

beforeAll(async () => {
  servers.push(await startPostgres())
  servers.push(await startStandby(servers[0] as PostgresServer, 'second'))
})

afterAll(() => Promise.all(servers.map((server) => server.remove())))

modelSuite(
  'the directory with a replica',
  async (users) => {
    const [primary, standby] = servers as [PostgresServer, PostgresServer]
    const database = await primary.createDatabase()
    const databaseRead = standby.url(new URL(database).pathname.slice(1))
    await untilAnswered(databaseRead)
    const onFault = (message: string) => {
      throw new Error(message)
    }
    return open(directoryService({ users }), { database, databaseRead, onFault })
  },
  1000,
)
