;;; sightline-consult.el --- Live search of Sightline through consult  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `sightline-search' uses this file if consult is installed.  As in every
;; asynchronous command of consult, the input is `#query#filter': the query is
;; sent to the server, the filter narrows its answers.

;;; Code:

(require 'consult)
(require 'sightline)

(declare-function consult--async-split-initial "consult")

(defun sightline-consult--candidates (origin input)
  "The answers to INPUT, a query that was typed for the buffer ORIGIN.
Errors, such as an unknown filter, and the progress of indexing are
shown as a message."
  (when (buffer-live-p origin)
    (with-current-buffer origin
      (condition-case problem
          (let ((answer (sightline--search input)))
            (sightline-consult--message (sightline--coverage-note (plist-get answer :coverage)))
            (mapcar #'sightline--hit-candidate (plist-get answer :results)))
        (user-error (sightline-consult--message (error-message-string problem)))))))

(defun sightline-consult--message (text)
  "Show TEXT after the input, unless it is empty; return nil."
  (unless (string-empty-p text)
    (minibuffer-message "%s" text)
    nil))

(defun sightline-consult--lookup (selected candidates &rest _)
  "The hit of SELECTED, one of CANDIDATES."
  (consult--lookup-prop 'sightline-hit selected candidates))

(defun sightline-consult--marker (hit open)
  "A marker at HIT in the buffer that OPEN makes of its file."
  (with-current-buffer (funcall open (sightline--path (plist-get hit :uri)))
    (save-restriction
      (save-excursion
        (sightline--goto hit)
        (point-marker)))))

(defun sightline-consult--state ()
  "Preview the selected hit."
  (let ((open (consult--temporary-files))
        (preview (consult--jump-preview)))
    (lambda (action hit)
      (unless hit (funcall open))
      (funcall preview action (and hit (eq action 'preview) (sightline-consult--marker hit open))))))

(defun sightline-consult--initial (text)
  "TEXT as the initial input.
Newer versions of consult add the separator themselves."
  (if (fboundp 'consult--async-split-initial)
      (consult--async-split-initial text)
    text))

(defun sightline-consult-search (&optional initial)
  "Search while you type, beginning with INITIAL, and go to the chosen answer."
  ;; Started here, because starting it while the user types would block the minibuffer.
  (sightline--server)
  (let* ((origin (current-buffer))
         (hit (consult--read
               ;; A function of exactly one argument, which consult looks at.
               (consult--dynamic-collection
                (lambda (input) (sightline-consult--candidates origin input)))
               :prompt "Find the code that: "
               :category 'sightline
               :sort nil
               :require-match t
               :history '(:input sightline-history)
               :initial (sightline-consult--initial initial)
               :annotate #'sightline--annotate
               :group #'sightline--group
               :lookup #'sightline-consult--lookup
               :state (sightline-consult--state))))
    (when hit
      (sightline--visit hit))))

(provide 'sightline-consult)
;;; sightline-consult.el ends here
