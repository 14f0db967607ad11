import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cliPage, cliPath } from './cli-page.ts'
import { read } from './sources.ts'

test('the page of the command line has the commands that there are', () => assert.equal(read(cliPath), cliPage()))
