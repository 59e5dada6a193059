import { expect, test } from 'vitest';
import { branchWords } from './branch-words';

test('case-T03, T09: the branch is named with what git is in the middle of', () => {
  expect(branchWords(null)).toBeNull();
  expect(branchWords({ branch: null })).toBeNull();
  expect(branchWords({ branch: 'main' })).toEqual({ text: 'main', title: 'Branch main' });
  expect(branchWords({ branch: 'main', gitNote: null })?.text).toBe('main');
  expect(branchWords({ branch: 'side', gitNote: 'rebasing' })).toEqual({
    text: 'side (rebasing)',
    title: 'Branch side, git is in the middle of rebasing',
  });
  expect(branchWords({ branch: '1a2b3c4', gitNote: 'detached' })).toEqual({
    text: '1a2b3c4 (detached)',
    title: 'No branch: commit 1a2b3c4 is checked out',
  });
});
