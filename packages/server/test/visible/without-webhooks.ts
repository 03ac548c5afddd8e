/** The directory without webhooks, which an open service implements: these tests run its pipelines alone. */
import { api, webhooks } from '@nomen/core'
import { directory } from '@nomen/directory'

const { name, options } = directory

export const directoryWithoutWebhooks = api(name, {
  ...options,
  resources: options.resources.filter((resource) => resource !== webhooks),
})
