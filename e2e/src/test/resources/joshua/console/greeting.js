document.querySelector('button').onclick = event => setTimeout(() =>
  document.querySelector('p').append(
    `${event.isTrusted ? 'Hello' : 'Fake'} ${document.querySelector('input').value}. `));
