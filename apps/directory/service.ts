/** What `nomen serve` loads. SAMPLE_USERS says how many users an empty database gets. */
import { directoryService } from './src/index.ts'

const { SAMPLE_USERS = '200' } = process.env
if (!/^\d{1,9}$/.test(SAMPLE_USERS)) {
  throw new Error(`SAMPLE_USERS is "${SAMPLE_USERS}". Give a whole number from 0, or leave it out for 200.`)
}

export default directoryService({ users: Number(SAMPLE_USERS) })
