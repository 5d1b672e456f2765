/** Writes the documentation as a static site into site/: `npm run docs`. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { project } from './docs/pages.js'
import { buildSite } from './docs/site.js'

const folder = join(project, 'site')
rmSync(folder, { recursive: true, force: true })
console.log(`${buildSite(folder)} pages: site/index.html`)
