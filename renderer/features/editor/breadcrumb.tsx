import { Fragment } from 'react';
import { Icon } from '../../ui/icon';

/** Where the file in front is, from the project folder on. */
export function Breadcrumb({ path }: { path: string }) {
  const parts = path.split('/');
  return (
    <div className="editor-crumb" title={path}>
      {parts.map((part, index) => (
        <Fragment key={parts.slice(0, index + 1).join('/')}>
          {index > 0 && <Icon name="chevron-right" size={12} />}
          <span className={index === parts.length - 1 ? 'editor-crumb-file' : 'editor-crumb-folder ui-clip'}>
            {part}
          </span>
        </Fragment>
      ))}
    </div>
  );
}
