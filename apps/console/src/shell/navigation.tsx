/** The navigation: the nouns of each api, operations, usage and docs. */
import { NavLink, ScrollArea, Text } from '@mantine/core'
import { Fragment } from 'react'
import { text } from '../language/language.ts'
import { operationsPath, type Route, stepsTo, usagePath } from '../model/address.ts'
import { viewIdOf } from '../model/list/query.ts'
import { rootsOf } from '../model/service/service.ts'
import { PaletteLauncher } from '../palette/palette-launcher.tsx'
import { SavedViewLinks } from '../saved-view/saved-view-links.tsx'
import { Icon } from '../view/icon.tsx'
import { follow } from '../view/link.tsx'
import { useConsole } from '../wire/console-context.ts'
import { useAddress } from '../wire/router.ts'

export function Navigation({ route, docs }: { readonly route: Route; readonly docs: string | undefined }) {
  const { service } = useConsole()
  const hasOperations = service.apis.some(({ actions }) => actions.length > 0)
  const isView = viewIdOf(useAddress().query) !== undefined
  const present = stepsTo(route)[0]?.collection
  return (
    <ScrollArea p="xs" type="auto">
      <PaletteLauncher docs={docs} />
      <nav aria-label={text().shell.nouns}>
        {service.apis.map((api) => (
          <section key={`${api.title} ${api.version} ${api.base}`} aria-label={api.title} className="navigation-api">
            <Text size="xs" c="dimmed" fw={600} px="sm" py={4} truncate>
              {api.title}
            </Text>
            {rootsOf(api).map((collection) => (
              <Fragment key={collection.key}>
                <NavLink
                  href={`#${collection.path}`}
                  onClick={follow(collection.path)}
                  label={collection.title}
                  active={collection === present && !isView}
                  aria-current={collection === present && !isView ? 'page' : undefined}
                />
                <SavedViewLinks collection={collection} />
              </Fragment>
            ))}
          </section>
        ))}
        {hasOperations && (
          <NavLink
            mt="md"
            href={`#${operationsPath}`}
            onClick={follow(operationsPath)}
            label={text().common.operations}
            leftSection={<Icon name="run" />}
            active={route.kind === 'operations'}
            aria-current={route.kind === 'operations' ? 'page' : undefined}
          />
        )}
        <NavLink
          mt={hasOperations ? 0 : 'md'}
          href={`#${usagePath}`}
          onClick={follow(usagePath)}
          label={text().common.usage}
          leftSection={<Icon name="usage" />}
          active={route.kind === 'usage'}
          aria-current={route.kind === 'usage' ? 'page' : undefined}
        />
        {docs !== undefined && <NavLink href={docs} label={text().shell.docs} leftSection={<Icon name="docs" />} />}
      </nav>
    </ScrollArea>
  )
}
