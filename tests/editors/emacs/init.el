;;; init.el --- The configuration of the tests on a screen  -*- lexical-binding: t; -*-

;;; Commentary:

;; The configuration of docs/editors.md, with vertico to show candidates.

;;; Code:

(require 'package)
(package-initialize)
(vertico-mode)

(add-to-list 'load-path
             (expand-file-name "../../../editors/emacs" (file-name-directory load-file-name)))
(require 'sightline)
;; The machine may be busy; no test measures time.
(setq eglot-connect-timeout 120
      jsonrpc-default-request-timeout 90)
(global-set-key (kbd "C-c s") #'sightline-search)
(global-set-key (kbd "C-c i") #'sightline-status)

;;; init.el ends here
