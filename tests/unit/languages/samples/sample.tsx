import React from "react";
type Props = { title: string };
export const Card = ({ title }: Props) => <div onClick={() => open(title)}>{title}</div>;
export function App() { return <Card title="x" />; }
