// Ports: subnet → vpc → provider.
import { provided } from '../../providers/index.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { portWatches } from './port-watches.ts'

export const ports: Row<'Port'> = row('Port', portWatches, (env) => provided('Port', env))
