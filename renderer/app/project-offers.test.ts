import { expect, test } from 'vitest';
import type { ProjectOffer } from '../../shared/contract/project';
import { offerWords } from './project-offers';

const offer = (facts: Partial<ProjectOffer>): ProjectOffer => ({
  ...{ kind: 'repository', otherId: 'p' as ProjectOffer['otherId'], name: 'app', path: '/home/me/app' },
  ...{ exists: true, sessions: 2 },
  ...facts,
});

test('a project that was found again says where it was and what came along', () => {
  expect(offerWords(offer({ kind: 'moved', exists: false }), '/home/me').text).toBe(
    'It was at ~/app before. Its 2 sessions came along.',
  );
  expect(offerWords(offer({ exists: false, sessions: 1 }), '').title).toBe(
    'This project seems to have moved',
  );
  expect(offerWords(offer({}), '/home/me').text).toContain('same history and 2 sessions');
  expect(offerWords(offer({ kind: 'worktree' }), '').title).toContain('worktree');
});
