import React from 'react';
type Props = { name: string; size?: number };
export const Box = ({ name, size = 1 }: Props): JSX.Element => (
  <div className="box" style={{ width: size }}>
    {name ? <b>{name}</b> : <></>}
    text
  </div>
);
