import { views } from '../views/index.ts'
import { Icon } from '../parts/icon.tsx'
import { link } from './place.ts'

export function Rail({ chosen }: { readonly chosen: string }) {
  return (
    <nav class="rail" aria-label="Views">
      <a class="brand" href={link('network')}>
        <img src={new URL('../icon.svg', import.meta.url).href} alt="" width="24" height="24" />
        <span>Doppler</span>
      </a>
      <ul>
        {views.map(({ name, title, icon, letter }) => (
          <li key={name}>
            <a href={link(name)} aria-current={name === chosen ? 'page' : undefined} title={`${title} (g ${letter})`}>
              <Icon path={icon} />
              <span>{title}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
