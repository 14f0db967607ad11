export { sameJson } from '../../core/same-json.ts'
