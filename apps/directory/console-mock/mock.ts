/** Runs the console on mocks, which respond in the browser without a service. */
import type { Collection } from '@nomen/core/mocks'
import { collections, mock } from '@nomen/directory/mocks'
import access from '@nomen/directory/openapi/access.json'
import { HttpResponse, http } from 'msw'
import { setupWorker } from 'msw/browser'

/** Handles PUT, which the mocks do not support. It merges the body into the record: a form sends all properties. */
const replace = http.put('*/v1/:name/:ref', async ({ params, request }) => {
  const collectionsByName: { readonly [name: string]: Pick<Collection<object>, 'update'> } = collections
  const replaced = collectionsByName[`${params.name}`]?.update(Number(params.ref), (await request.json()) as object)
  return HttpResponse.json(replaced ?? null, { status: replaced ? 200 : 404 })
})

/** The paths without those of the history, which the mocks do not have. */
const paths = Object.fromEntries(
  Object.entries(access.paths).filter(([path]) => !/\/(change|restoration)(\/|$)/.test(path)),
)
const documentHandler = http.get('*/v1/openapi.json', () =>
  HttpResponse.json({ ...access, paths, servers: [{ url: '/' }] }),
)

await setupWorker(documentHandler, replace, ...mock.handlers).start({
  onUnhandledFrame: 'bypass',
  quiet: true,
  serviceWorker: { url: '/mockServiceWorker.js', options: { scope: '/' } },
})

// The console starts when handlers for all of its requests are registered.
const page = document.querySelector<HTMLScriptElement>('script[data-console]')?.dataset.console
if (page === undefined) throw new Error('The page has no script with the attribute data-console. Add it to the page.')
if (location.hash === '') history.replaceState(null, '', '#/v1/role')
await import(/* @vite-ignore */ new URL(page, document.baseURI).href)
