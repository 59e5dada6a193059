import { parentPort } from 'node:worker_threads';
import { askFromEnd, type SharedList } from './stat-list';

let list: SharedList | null = null;

parentPort?.on('message', (next: SharedList | 'again') => {
  if (next !== 'again') list = next;
  if (list !== null) askFromEnd(list);
});
