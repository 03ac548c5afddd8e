/** Random sequences of requests with a replica: callers read their own writes, so no response shows that the replica lags. */
import { open } from '@nomen/server'
import { type PostgresServer, startPostgres, startStandby, waitUntilConnectable } from '@nomen/testing/postgres'
import { numberOfRuns } from '@nomen/testing/prove'
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
    await waitUntilConnectable(databaseRead)
    const onFault = (message: string) => {
      throw new Error(message)
    }
    return open(directoryService({ users }), { database, databaseRead, onFault })
  },
  numberOfRuns(300, 2_000),
)
